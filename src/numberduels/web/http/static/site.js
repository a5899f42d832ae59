// Live updates and keyboard control. Pages work without this script, and it knows no rules: the server renders
// legal moves and their effects.

const table = document.getElementById("table");
const statusLine = document.getElementById("said");
const lostNotice = document.getElementById("lost");

const playing = () => table.querySelector(".playing");
const version = () => Number(playing().dataset.version);

/** Replace the match by a newer fragment from the server, and keep the focus. */
function replace(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(".playing");
  if (!fresh || Number(fresh.dataset.version) < version()) return;
  const focused = document.activeElement;
  const refocus = focused && table.contains(focused) ? focusFinder(focused) : null;
  const hand = table.querySelector("input[name=number]:checked");
  table.replaceChildren(document.adoptNode(fresh));
  if (hand) {
    const same = table.querySelector(`input[name=number][value="${CSS.escape(hand.value)}"]`);
    if (same) same.checked = true;
  }
  showCopyButtons();
  refocus?.().focus();
  announce();
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
  const place = table.querySelector("[data-message]") || document.createElement("p");
  place.className = "message unsent";
  place.dataset.message = "";
  place.textContent = text;
  playing().prepend(place);
  announce();
}

/** Number of the last request for a fragment: only its response counts. */
let requestCount = 0;

/** Show the fragment of a response; after a redirect within this match, adopt the new address. */
function showResponse(answer, text) {
  if (answer.redirected) history.replaceState(null, "", table.dataset.page + new URL(answer.url).search);
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
    if (text.includes('class="playing"')) showResponse(answer, text);
    else showError(text.length < 300 ? text : table.dataset.unsent);
  } catch {
    showError(table.dataset.unsent);
  }
}

const here = () => table.dataset.page + location.search;

let source = null;
let reconnectTimer = 0;
let newestVersion = 0;

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

function listen() {
  clearTimeout(reconnectTimer);
  source?.close();
  const own = source = new EventSource(table.dataset.events);
  own.addEventListener("open", () => { lostNotice.hidden = true; });
  own.addEventListener("bye", () => { lostNotice.hidden = false; });
  own.addEventListener("error", () => {
    lostNotice.hidden = false;
    // A browser reconnects by itself after a lost connection, but not after an error response, such as a proxy's.
    if (own.readyState === EventSource.CLOSED && own === source) reconnectTimer = setTimeout(listen, 3000);
  });
  own.addEventListener("version", (event) => {
    lostNotice.hidden = true;
    table.querySelector(".unsent")?.remove(); // connected again
    newestVersion = Math.max(newestVersion, Number(event.lastEventId));
    refresh();
  });
}

if (table) {
  // The response to a form that was sent before this script was loaded has the address of the form.
  if (location.pathname !== table.dataset.page) history.replaceState(null, "", table.dataset.page);
  // A broken connection may look open for a long time; the network status of the machine is faster.
  addEventListener("offline", () => { source?.close(); lostNotice.hidden = false; });
  addEventListener("online", listen);
  // A browser can keep a page without open connections, and show it at once when the visitor goes back.
  addEventListener("pagehide", () => { clearTimeout(reconnectTimer); source?.close(); });
  addEventListener("pageshow", (event) => { if (event.persisted) { busy = false; listen(); } });
}

let busy = false;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.submitter?.matches(".unplaced")) { // a number without a place
    event.preventDefault();
    tiles()[0]?.focus();
    return;
  }
  if (!table || !table.contains(form) || form.action.endsWith("/rematch")) return;
  event.preventDefault();
  if (busy) return;  // a double click is one move
  busy = true;
  const fields = new FormData(form, event.submitter);
  const values = new URLSearchParams(location.search).has("values") ? "?values=1" : "";
  history.replaceState(null, "", table.dataset.page + values);
  show(form.action, { method: "POST", body: new URLSearchParams(fields) })
    .then(() => values && table.querySelector(".playing [data-action=values]") && show(here()))
    .finally(() => { busy = false; });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!table || !link || !table.contains(link) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.origin !== location.origin || link.pathname !== table.dataset.page) return;
  event.preventDefault();
  history.pushState(null, "", link.pathname + link.search);
  show(here());
});
addEventListener("popstate", () => { if (table) show(here()); });

// Buttons that copy a link.
function showCopyButtons() {
  for (const each of document.querySelectorAll("[data-copies]")) each.hidden = false;
}
document.addEventListener("focusin", (event) => { if (event.target.matches("[data-copy]")) event.target.select(); });
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copies]");
  if (!button) return;
  const link = button.parentElement.querySelector("[data-copy]");
  link.select();
  // Without HTTPS, browsers support only the old way.
  if (navigator.clipboard) await navigator.clipboard.writeText(link.value).catch(() => document.execCommand("copy"));
  else document.execCommand("copy");
  button.textContent = button.dataset.copies;
  if (statusLine) statusLine.textContent = button.dataset.copies;
});

// Mark the tiles that a move would affect, while its tile has the pointer or the focus.
function markTouchedTiles(event) {
  const tile = event.target.closest ? event.target.closest(".tile[data-move]") : null;
  for (const each of document.querySelectorAll(".touched")) each.classList.remove("touched");
  if (!tile || !(event.type === "pointerover" || (event.type === "focusin" && tile.matches(":focus-visible")))) return;
  const board = tile.closest(".board");
  for (const place of touchedTiles(tile)) board.querySelector(`[data-place="${place}"]`)?.classList.add("touched");
}

function touchedTiles(tile) {
  const hand = document.querySelector("input[name=number]:checked");
  const own = hand && tile.querySelector(`.told[data-number="${CSS.escape(hand.value)}"]`);
  return ((own || tile).dataset.touches || "").split(" ").filter(Boolean).map(Number);
}
for (const kind of ["pointerover", "focusin", "focusout"]) document.addEventListener(kind, markTouchedTiles);

// Keys.
const tiles = () => [...document.querySelectorAll(".board button[name=move]")];
let typed = "";
let typedTimer = 0;

function play(text) {
  const tile = tiles().find((each) => (each.dataset.name || each.value) === text);
  if (tile) tile.focus();
  return tile;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=radio]), select, textarea")) return;
  const board = tiles();
  const at = board.indexOf(document.activeElement);
  const press = (selector) => { const found = document.querySelector(selector); if (found) { event.preventDefault(); found.click(); } };
  if (/^[0-9]$/.test(event.key)) {
    clearTimeout(typedTimer);
    typedTimer = setTimeout(() => { typed = ""; }, 1200);
    typed = play(typed + event.key) ? typed + event.key : play(event.key) ? event.key : typed + event.key;
  } else if (["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"].includes(event.key) && at >= 0) {
    event.preventDefault();
    const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1;
    board[(at + step + board.length) % board.length].focus();
  } else if (!table || !table.contains(document.activeElement)) return; // letters work only while the focus is in the match
  else if (event.key === "u") press("[data-action=undo], [data-action=takeback]");
  else if (event.key === "h") press("[data-action=hint]");
  else if (event.key === "v") press("[data-action=values]");
  else if (event.key === ",") press("[data-step=back]");
  else if (event.key === ".") press("[data-step=on]");
});

showCopyButtons();
// A browser has few connections to one server: hidden pages close theirs.
document.addEventListener("visibilitychange", () => {
  if (!table) return;
  if (document.hidden) source?.close();
  else listen();
});

if (table && !document.hidden) listen();
