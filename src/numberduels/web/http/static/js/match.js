// The page of a match: live updates, moves without loading the page, keys. The page works without this script.
//
// After each new fragment the event "replaced" is dispatched on document; detail.before is the fragment that it replaced.
// The event "painted" with the same detail follows when the visitor sees the new fragment: what measures the page or
// animates it waits for that, because it would delay the sight of the move.

const table = document.getElementById("table");
const statusLine = document.getElementById("said");
const lostNotice = document.getElementById("lost");

const playing = () => table.querySelector(".playing");
const version = () => Number(playing().dataset.version);
const tiles = () => [...table.querySelectorAll(".board button[name=move]")];

/** The fragment that is shown, as the server sent it. */
let shown = "";

/** Replace the match by a newer fragment from the server, and keep the focus and the number in hand. */
function replace(html) {
  if (html === shown) return; // a move is answered and announced by the stream: the second must not stop what moves
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(".playing");
  if (!fresh || Number(fresh.dataset.version) < version()) return;
  shown = html;
  const before = playing();
  const focused = document.activeElement;
  const refocus = focused && table.contains(focused) ? focusFinder(focused) : null;
  const hand = table.querySelector("input[name=number]:checked");
  table.replaceChildren(document.adoptNode(fresh));
  if (hand) {
    const same = table.querySelector(`input[name=number][value="${CSS.escape(hand.value)}"]`);
    if (same) same.checked = true;
  }
  document.title = playing().dataset.title;
  document.dispatchEvent(new CustomEvent("replaced", { detail: { before } }));
  tellWhereDecided();
  refocus?.().focus();
  announce();
  afterPaint(() => {
    if (playing() !== fresh) return; // replaced again meanwhile
    scrollToMove();
    fresh.classList.add("painted");
    document.dispatchEvent(new CustomEvent("painted", { detail: { before } }));
  });
}

/** Call a function in the frame after the next one: by then the next one has been painted. */
function afterPaint(call) {
  requestAnimationFrame(() => requestAnimationFrame(call));
}

/** Write another address into the browser: even the same one would cost it several milliseconds. */
function replaceAddress(address) {
  if (address !== location.pathname + location.search) history.replaceState(null, "", address);
}

/** Let the list of moves show the move that is looked at. */
function scrollToMove() {
  const list = table.querySelector(".history");
  const move = list.querySelector("[aria-current]");
  if (move) list.scrollTop = move.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** A function that finds the same element in the next fragment, or the nearest one. */
function focusFinder(element) {
  const { name, value } = element;
  const { action, step, place } = element.dataset;
  const board = element.closest(".board");
  return () => {
    if (name === "number") return table.querySelector(`[name=number][value="${CSS.escape(value)}"]`) || nearestTile(0);
    if (board) return nearestTile(Number(place ?? element.dataset.left ?? 0));
    if (action) return table.querySelector(`[data-action="${action}"]`) || nearestTile(0);
    if (step) return table.querySelector(`[data-step="${step}"]`) || nearestTile(0);
    return nearestTile(0);
  };
}

/** The playable tile nearest to this place; the board itself if there is none. */
function nearestTile(place) {
  const far = (tile) => Math.abs(Number(tile.dataset.place) - place);
  const nearest = tiles().sort((one, other) => far(one) - far(other))[0];
  if (nearest) return nearest;
  const board = table.querySelector(".board");
  board.tabIndex = -1;
  board.dataset.left = place;
  return board;
}

/** Announce changes to screen readers. */
function announce() {
  const parts = [...table.querySelectorAll("[data-message], [data-said]")].flatMap((each) => [...each.childNodes]);
  statusLine.textContent = parts.map((each) => each.textContent.trim().replace(/\s+/g, " ")).filter(Boolean).join(" ");
}

function showError(text) {
  shown = "";
  const place = table.querySelector("[data-message]") || document.createElement("p");
  place.className = "message unsent";
  place.dataset.message = "";
  place.textContent = text;
  table.querySelector(".arena").prepend(place);
  announce();
}

/** Fetch the sentence that says where the game was decided: it may take the engine a moment. */
let decided = "";
async function tellWhereDecided() {
  const link = table.querySelector("[data-decided]");
  if (!link) return;
  if (!decided) {
    try {
      const answer = await fetch(link.href, { headers: { "x-fragment": "1" } });
      const answered = new DOMParser().parseFromString(await answer.text(), "text/html");
      decided = answered.querySelector(".decided span")?.textContent ?? "";
    } catch { /* the link stays */ }
  }
  const place = table.querySelector("[data-decided]");
  if (decided && place) place.replaceWith(decided);
}

/** Number of the last request for a fragment: only its response counts. */
let requestCount = 0;

/** Show the fragment of a response; after a redirect within this match, adopt the new address. */
function showResponse(answer, text) {
  if (answer.redirected) replaceAddress(table.dataset.page + new URL(answer.url).search);
  replace(text);
}

/** Fetch and show a fragment; errors of commands are fragments, too. */
async function show(address, options = {}) {
  const mine = ++requestCount;
  try {
    const answer = await fetch(address, { ...options, headers: { "x-fragment": "1" } });
    if (answer.redirected && new URL(answer.url).pathname !== table.dataset.page) {
      location.assign(answer.url);
      return;
    }
    const text = await answer.text();
    if (mine !== requestCount && !options.method) return; // a later request was sent meanwhile
    if (text.includes('class="playing')) showResponse(answer, text);
    else showError(text.length < 300 ? text : table.dataset.unsent);
  } catch {
    showError(table.dataset.unsent);
  }
}

const here = () => table.dataset.page + location.search;

let source = null;
let reconnectTimer = 0;
let newestVersion = 0;
let busy = false;

/** Fetch the fragment until it shows the newest known version. */
async function refresh() {
  if (newestVersion <= version()) return;
  const mine = ++requestCount;
  // A visitor who looks at an earlier move stays there. A hint was for the old position.
  const query = new URLSearchParams(location.search);
  query.delete("hint");
  try {
    const answer = await fetch(`${table.dataset.page}?${query}`, { headers: { "x-fragment": "1" } });
    const text = await answer.text();
    if (answer.ok && mine === requestCount) showResponse(answer, text);
  } catch { /* the connection is lost; the stream reports it */ }
  if (newestVersion > version()) setTimeout(refresh, 2000);
}

function connected() {
  lostNotice.hidden = true;
  const unsent = table.querySelector(".unsent");
  if (!unsent) return;
  unsent.remove();
  announce();
}

function listen() {
  clearTimeout(reconnectTimer);
  source?.close();
  const own = source = new EventSource(table.dataset.events);
  own.addEventListener("open", connected);
  own.addEventListener("bye", () => { lostNotice.hidden = false; });
  own.addEventListener("error", () => {
    lostNotice.hidden = false;
    // A browser reconnects by itself after a lost connection, but not after an error response, such as a proxy's.
    if (own.readyState === EventSource.CLOSED && own === source) reconnectTimer = setTimeout(listen, 3000);
  });
  own.addEventListener("presence", showPresence);
  own.addEventListener("time", (event) => { aheadOfServer = Date.now() - Number(event.data) * 1000; showClock(); });
  own.addEventListener("late", () => show(here())); // the game may be claimed now
  own.addEventListener("version", (event) => {
    connected();
    newestVersion = Math.max(newestVersion, Number(event.lastEventId));
    if (!busy) refresh(); // the answer to the visitor's own command is under way
  });
}

// Presence and clocks

function showPresence(event) {
  const { player, online } = JSON.parse(event.data);
  const place = table.querySelector(`[data-presence="${player}"]`);
  if (!place) return;
  place.classList.toggle("online", online);
  place.textContent = online ? place.dataset.online : place.dataset.away;
}

let aheadOfServer = 0; // milliseconds

/** The time that is left for the move: minutes and seconds, or hours, or days. */
function showClock() {
  const place = table.querySelector("[data-deadline]");
  if (!place) return;
  const left = Math.max(0, Math.ceil(Number(place.dataset.deadline) - (Date.now() - aheadOfServer) / 1000));
  const two = (number) => String(number).padStart(2, "0");
  const text = left >= 3600 ? `${Math.floor(left / 3600)}:${two(Math.floor(left / 60) % 60)} h` : `${Math.floor(left / 60)}:${two(left % 60)}`;
  if (place.textContent !== text) place.textContent = text;
  place.classList.toggle("soon", left <= 15);
}
setInterval(showClock, 500);
document.addEventListener("replaced", showClock);

// The response to a form that was sent before this script was loaded has the address of the form.
if (location.pathname !== table.dataset.page) replaceAddress(table.dataset.page);
// A broken connection may look open for a long time; the network status of the machine is faster.
addEventListener("offline", () => { source?.close(); lostNotice.hidden = false; });
addEventListener("online", listen);
// A browser can keep a page without open connections, and show it at once when the visitor goes back.
addEventListener("pagehide", () => { clearTimeout(reconnectTimer); source?.close(); });
addEventListener("pageshow", (event) => { if (event.persisted) { busy = false; listen(); } });

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!table.contains(form) || form.action.endsWith("/rematch") || !form.action.includes(table.dataset.page)) return;
  event.preventDefault();
  if (busy) return; // a double click is one move
  busy = true;
  const fields = new FormData(form, event.submitter);
  const values = new URLSearchParams(location.search).has("values") ? "?values=1" : "";
  replaceAddress(table.dataset.page + values);
  show(form.action, { method: "POST", body: new URLSearchParams(fields) })
    .then(() => values && table.querySelector(".playing [data-action=values]") && show(here()))
    .finally(() => { busy = false; refresh(); });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || !table.contains(link) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.origin !== location.origin || link.pathname !== table.dataset.page) return;
  event.preventDefault();
  history.pushState(null, "", link.pathname + link.search);
  show(here());
});
addEventListener("popstate", () => show(here()));

// Keys; letters work only while the focus is in the match.
const KEYS = {
  u: "[data-action=undo], [data-action=takeback]",
  h: "[data-action=hint]",
  v: "[data-action=values]",
  ",": "[data-step=back]",
  ".": "[data-step=on]",
  Escape: "[data-action=now]",
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=radio]), select, textarea")) return;
  if (!(event.key in KEYS) || !(table.contains(document.activeElement) || event.key === "Escape")) return;
  const found = table.querySelector(KEYS[event.key]);
  if (found) { event.preventDefault(); found.click(); }
});

// The side: one part at a time. On a phone it is a sheet, which its button opens and closes.
const page = table.closest(".match");
const narrow = matchMedia("(max-width: 59.99rem)");

function showTab(name, open = true) {
  page.dataset.tab = name;
  page.toggleAttribute("data-sheet", open);
  for (const each of page.querySelectorAll(".tabs [data-tab]")) {
    each.setAttribute("aria-expanded", String(each.dataset.tab === name && (open || !narrow.matches)));
  }
}
page.querySelector(".tabs").addEventListener("click", (event) => {
  const name = event.target.closest("[data-tab]")?.dataset.tab;
  if (name) showTab(name, !(narrow.matches && page.hasAttribute("data-sheet") && page.dataset.tab === name));
});
const closeSheet = () => { if (page.hasAttribute("data-sheet")) showTab(page.dataset.tab, false); };
document.addEventListener("click", (event) => { if (narrow.matches && event.target.isConnected && !event.target.closest(".side, .tabs")) closeSheet(); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && narrow.matches) closeSheet(); });
narrow.addEventListener("change", closeSheet);
showTab("moves", false);
tellWhereDecided();

// Motion and sound are loaded when the page is there.
afterPaint(() => {
  playing().classList.add("painted");
  for (const script of table.dataset.later.split(" ")) import(script).catch(() => { /* no connection */ });
});

// A browser has few connections to one server: hidden pages close theirs.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) source?.close();
  else listen();
});
if (!document.hidden) listen();
