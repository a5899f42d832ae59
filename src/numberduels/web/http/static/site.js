// Every page: colours, settings, menus, toasts. Pages work without this script.
//
// Other scripts read settings from the attributes of <html> (data-sound, data-one-tap), and say something in passing by
//   document.dispatchEvent(new CustomEvent("toast", { detail: "Copied" }));   or { text, url } for a link

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
  const { text = event.detail, url } = event.detail;
  const link = url && document.createElement("a");
  if (link) {
    link.href = url;
    link.textContent = text;
  }
  toast.replaceChildren(link || text);
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { toast.hidden = true; }, link ? 10_000 : 3500);
});

// News of the visitor's games is loaded when the page has been painted. A hidden page has no frames to wait for.
const news = document.getElementById("news");
const loadNews = () => import(news.content).catch(() => { /* no connection */ });
if (news && document.hidden) loadNews();
else if (news) requestAnimationFrame(() => requestAnimationFrame(loadNews));
