// Every page: colours, settings, menus, copying and sharing links, toasts. Pages work without this script.
//
// Other scripts read settings from the attributes of <html> (data-sound, data-one-tap), and say something in passing by
//   document.dispatchEvent(new CustomEvent("toast", { detail: "Copied" }));

const root = document.documentElement;

// Colours. The server keeps the choice in a cookie; the page changes at once.
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-theme-choice]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const theme = link.dataset.themeChoice;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  document.querySelector("meta[name=color-scheme]").content = theme === "auto" ? "light dark" : theme;
  for (const each of document.querySelectorAll("[data-theme-choice]")) {
    if (each === link) each.setAttribute("aria-current", "true");
    else each.removeAttribute("aria-current");
  }
  fetch(link.href, { method: "HEAD" }).catch(() => location.assign(link.href));
});

// Settings that only scripts use are kept in this browser.
const kept = {
  get: (name) => { try { return localStorage.getItem(name); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem(name, value); } catch { /* kept for this page only */ } },
};

function showSetting(button) {
  const { setting } = button.dataset;
  const on = root.hasAttribute(`data-${setting}`);
  button.setAttribute("aria-pressed", String(on));
}

for (const button of document.querySelectorAll("[data-setting]")) {
  root.toggleAttribute(`data-${button.dataset.setting}`, kept.get(button.dataset.setting) === "on");
  showSetting(button);
  button.addEventListener("click", () => {
    const on = root.toggleAttribute(`data-${button.dataset.setting}`);
    kept.set(button.dataset.setting, on ? "on" : "off");
    showSetting(button);
    document.dispatchEvent(new CustomEvent("setting", { detail: button.dataset.setting }));
  });
}

// A menu closes by Escape and by a press beside it.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector(".menu[open]");
  if (!menu) return;
  event.stopImmediatePropagation();
  menu.open = false;
  menu.querySelector("summary").focus();
});

// Toasts.
let toast = null;
let toastTimer = 0;
document.addEventListener("toast", (event) => {
  if (!toast) {
    toast = document.createElement("p");
    toast.className = "toast";
    toast.setAttribute("role", "status");
    document.body.append(toast);
  }
  toast.hidden = false;
  toast.textContent = event.detail;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { toast.hidden = true; }, 3500);
});

// Links to copy: <input data-copy> and beside it <button data-copies="Copied" hidden>.
async function copy(text, field) {
  field?.select();
  // Without HTTPS, browsers support only the old way.
  if (navigator.clipboard) await navigator.clipboard.writeText(text).catch(() => document.execCommand("copy"));
  else document.execCommand("copy");
}
function showCopyButtons() {
  for (const each of document.querySelectorAll("[data-copies]")) each.hidden = false;
}
document.addEventListener("focusin", (event) => { if (event.target.matches("[data-copy]")) event.target.select(); });
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copies]");
  if (!button) return;
  const field = button.parentElement.querySelector("[data-copy]");
  await copy(field.value, field);
  button.textContent = button.dataset.copies;
  document.dispatchEvent(new CustomEvent("toast", { detail: button.dataset.copies }));
});

// A button that shares a link, or copies it where nothing can be shared:
// <button data-share="URL" data-share-text="…" data-shared="Link copied">
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-share]");
  if (!button) return;
  const { share: url, shareText: text, shared } = button.dataset;
  if (navigator.share) {
    try { await navigator.share({ url, text }); } catch { /* the visitor thought better of it */ }
    return;
  }
  await copy(url);
  document.dispatchEvent(new CustomEvent("toast", { detail: shared }));
});

// News of the visitor's games is loaded when the page has been painted. A hidden page has no frames to wait for.
const news = document.getElementById("news");
const loadNews = () => import(news.content).catch(() => { /* no connection */ });
if (news && document.hidden) loadNews();
else if (news) requestAnimationFrame(() => requestAnimationFrame(loadNews));

showCopyButtons();
document.addEventListener("replaced", showCopyButtons); // a script has put something new into the page
