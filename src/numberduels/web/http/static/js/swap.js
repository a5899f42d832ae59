// Replaces a part of the page instead of loading the page again. Pages work without this script.
//
//   <div id="lesson" data-swap>        forms and links in it that stay on this page replace it
//   <form data-live="result">          a change of its fields replaces the part with this id
//
// After a replacement `document` gets the event "replaced". The new [data-announce] is told to screen readers.

const announcer = document.createElement("p");
announcer.className = "visually-hidden";
announcer.setAttribute("role", "status");
document.body.append(announcer);

let latest = 0;

/** Fetch an address and replace the part by the one with the same id; `false` if there is no answer. */
async function replacePart(part, address, options, keep) {
  const mine = ++latest;
  let answer, text;
  try {
    answer = await fetch(address, options);
    text = await answer.text();
  } catch {
    return false;
  }
  if (mine !== latest) return true; // a later request was sent meanwhile
  const fresh = new DOMParser().parseFromString(text, "text/html");
  const next = fresh.getElementById(part.id);
  if (!next) {
    location.assign(answer.url);
    return true;
  }
  history[keep](null, "", answer.url);
  document.title = fresh.title;
  const refocus = part.contains(document.activeElement) ? focusFinder(document.activeElement) : null;
  part.replaceWith(document.adoptNode(next));
  refocus?.(next)?.focus({ preventScroll: true });
  const told = next.querySelector("[data-announce]");
  if (told) announcer.textContent = told.innerText.replace(/\s+/g, " ");
  showValue(next);
  document.dispatchEvent(new CustomEvent("replaced"));
  return true;
}

/** A part may name the value that it shows: the slider beside it follows. */
function showValue(part) {
  const { shows, value } = part.dataset;
  const field = shows && document.getElementById(shows);
  if (field && document.activeElement !== field) field.value = value;
}

/** A function that finds the same element in the new part, or what to go on with. */
function focusFinder(element) {
  const { place } = element.dataset;
  const { name, value } = element;
  return (part) =>
    (place && part.querySelector(`button[data-place="${place}"]`)) ||
    (name && part.querySelector(`[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`)) ||
    part.querySelector(".button.main, button[name=move], .button");
}

const samePage = (url) => url.origin === location.origin && url.pathname === location.pathname;

document.addEventListener("submit", (event) => {
  const form = event.target;
  const part = form.closest("[data-swap]");
  if (event.defaultPrevented || !part) return;
  const address = new URL(event.submitter?.getAttribute("formaction") || form.action);
  if (!samePage(address)) return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form, event.submitter));
  const posts = form.method === "post";
  if (!posts) address.search = fields;
  replacePart(part, address, posts ? { method: "POST", body: fields } : {}, "pushState").then((done) => {
    if (!done) form.submit();
  });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  const part = link?.closest("[data-swap]");
  if (!part || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const address = new URL(link.href.baseVal ?? link.href, location.href);
  if (!samePage(address)) return;
  event.preventDefault();
  replacePart(part, address, {}, "pushState").then((done) => { if (!done) location.assign(address); });
});

addEventListener("popstate", async () => {
  const part = document.querySelector("[data-swap]");
  if (part && !(await replacePart(part, location.href, {}, "replaceState"))) location.reload();
});

// Sliders: while one request is under way, only the last change is kept.
let underWay = false;
let waiting = null;

async function showLive(form) {
  if (underWay) { waiting = form; return; }
  underWay = true;
  const address = new URL(form.action);
  address.search = new URLSearchParams(new FormData(form));
  await replacePart(document.getElementById(form.dataset.live), address, {}, "replaceState");
  underWay = false;
  const next = waiting;
  waiting = null;
  if (next) showLive(next);
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-live]");
  if (form) showLive(form);
});
