// Learn pages: keeps in this browser which lessons are done, and marks them.

const KEY = "lessons";

function readDone() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) || "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function show() {
  const done = new Set(readDone());
  const now = document.querySelector("[data-lesson-done]")?.dataset.lessonDone;
  if (now && !done.has(now)) {
    done.add(now);
    try {
      localStorage.setItem(KEY, JSON.stringify([...done]));
    } catch { /* storage is full or forbidden */ }
  }
  for (const each of document.querySelectorAll("[data-lesson]")) each.classList.toggle("done", done.has(each.dataset.lesson));
  for (const each of document.querySelectorAll("[data-done-mark]")) each.hidden = !done.has(each.dataset.doneMark);
}

document.addEventListener("replaced", show);
show();
