// Live updates, keyboard play and a little movement. The pages are complete without it, and it knows no rule of
// any game: the server says what is legal, what a move would do, and how everything looks.

const table = document.getElementById("table");
const said = document.getElementById("said");
const lost = document.getElementById("lost");

const playing = () => table.querySelector(".playing");
const version = () => Number(playing().dataset.version);

/** Put a table from the server in the place of the old one, and keep the focus where it was. */
function replace(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(".playing");
  if (!fresh || Number(fresh.dataset.version) < version()) return;
  const held = document.activeElement;
  const back = held && table.contains(held) ? described(held) : null;
  const hand = table.querySelector("input[name=number]:checked");
  table.replaceChildren(document.adoptNode(fresh));
  if (hand) {
    const same = table.querySelector(`input[name=number][value="${CSS.escape(hand.value)}"]`);
    if (same) same.checked = true;
  }
  offerCopies();
  back?.().focus();
  announce();
}

/** What finds the same thing on the next table, or what is nearest to it. */
function described(element) {
  const { name, value } = element;
  const { action, step, place } = element.dataset;
  const board = element.closest(".board");
  return () => {
    if (name === "number") return table.querySelector(`[name=number][value="${CSS.escape(value)}"]`) || theBoard(0);
    if (board) return theBoard(Number(place ?? element.dataset.left ?? 0));
    if (action) return table.querySelector(`[data-action="${action}"]`) || theBoard(0);
    if (step) return table.querySelector(`[data-step="${step}"]`) || theBoard(0);
    return theBoard(0);
  };
}

/** The tile nearest to this place that can be played; the board itself, while there is none. */
function theBoard(place) {
  const far = (tile) => Math.abs(Number(tile.dataset.place) - place);
  const nearest = tiles().sort((one, other) => far(one) - far(other))[0];
  if (nearest) return nearest;
  const board = table.querySelector(".board");
  board.tabIndex = -1;
  board.dataset.left = place;
  return board;
}

/** Say what has happened to those who do not see it. */
function announce() {
  const told = [...table.querySelectorAll("[data-message], [data-said]")].flatMap((each) => [...each.childNodes]);
  said.textContent = told.map((each) => each.textContent.trim().replace(/\s+/g, " ")).filter(Boolean).join(" ");
}

function fault(text) {
  const place = table.querySelector("[data-message]") || document.createElement("p");
  place.className = "message unsent";
  place.dataset.message = "";
  place.textContent = text;
  playing().prepend(place);
  announce();
}

/** How often the table was asked for: only the latest answer counts. */
let asked = 0;

/** Show the table that came; where the server has sent us to another address of this game, that is ours now. */
function arrive(answer, text) {
  if (answer.redirected) history.replaceState(null, "", table.dataset.page + new URL(answer.url).search);
  replace(text);
}

/** Fetch the table alone; what the server refuses comes as a table, too. */
async function show(address, options = {}) {
  const mine = ++asked;
  try {
    const answer = await fetch(address, { ...options, headers: { "x-fragment": "1" } });
    if (answer.redirected && new URL(answer.url).pathname !== table.dataset.page) {
      location.assign(answer.url);
      return;
    }
    const text = await answer.text();
    if (mine !== asked && !options.method) return; // something else was asked for meanwhile
    if (text.includes('class="playing"')) arrive(answer, text);
    else fault(text.length < 300 ? text : table.dataset.unsent);
  } catch {
    fault(table.dataset.unsent);
  }
}

const here = () => table.dataset.page + location.search;

let source = null;
let again = 0;
let newest = 0;

/** Look again until the table shows what is known to have happened. */
async function refresh() {
  if (newest <= version()) return;
  const mine = ++asked;
  // Whoever looks at an earlier move is left there; hints were for a position that is gone.
  const query = new URLSearchParams(location.search);
  query.delete("hint");
  try {
    const answer = await fetch(`${table.dataset.page}?${query}`, { headers: { "x-fragment": "1" } });
    const text = await answer.text();
    if (answer.ok && mine === asked) arrive(answer, text);
  } catch { /* the line is lost, which the stream says */ }
  if (newest > version()) setTimeout(refresh, 2000);
}

function listen() {
  clearTimeout(again);
  source?.close();
  const own = source = new EventSource(table.dataset.events);
  own.addEventListener("open", () => { lost.hidden = true; });
  own.addEventListener("bye", () => { lost.hidden = false; });
  own.addEventListener("error", () => {
    lost.hidden = false;
    // A browser comes back by itself from a lost line, but not from a refusal, such as a proxy's.
    if (own.readyState === EventSource.CLOSED && own === source) again = setTimeout(listen, 3000);
  });
  own.addEventListener("version", (event) => {
    lost.hidden = true;
    table.querySelector(".unsent")?.remove(); // the line is back
    newest = Math.max(newest, Number(event.lastEventId));
    refresh();
  });
}

if (table) {
  // The answer to a form that was sent before this script was there has the address of the form.
  if (location.pathname !== table.dataset.page) history.replaceState(null, "", table.dataset.page);
  // A line that is cut may look open for long: what the machine knows of its network is known sooner.
  addEventListener("offline", () => { source?.close(); lost.hidden = false; });
  addEventListener("online", listen);
  // A page without an open connection may be kept by the browser, and is there at once when one goes back.
  addEventListener("pagehide", () => { clearTimeout(again); source?.close(); });
  addEventListener("pageshow", (event) => { if (event.persisted) { busy = false; listen(); } });
}

let busy = false;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.submitter?.matches(".unplaced")) { // a number without a place for it yet
    event.preventDefault();
    tiles()[0]?.focus();
    return;
  }
  if (!table || !table.contains(form) || form.action.endsWith("/rematch")) return;
  event.preventDefault();
  if (busy) return;  // who clicks twice means one move
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

// A link is copied by a touch.
function offerCopies() {
  for (const each of document.querySelectorAll("[data-copies]")) each.hidden = false;
}
document.addEventListener("focusin", (event) => { if (event.target.matches("[data-copy]")) event.target.select(); });
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copies]");
  if (!button) return;
  const link = button.parentElement.querySelector("[data-copy]");
  link.select();
  // Where a page has no secure address, browsers know only the old way.
  if (navigator.clipboard) await navigator.clipboard.writeText(link.value).catch(() => document.execCommand("copy"));
  else document.execCommand("copy");
  button.textContent = button.dataset.copies;
  if (said) said.textContent = button.dataset.copies;
});

// What a move would change is marked while one thinks about it.
function mark(event) {
  const tile = event.target.closest ? event.target.closest(".tile[data-move]") : null;
  for (const each of document.querySelectorAll(".touched")) each.classList.remove("touched");
  if (!tile || !(event.type === "pointerover" || (event.type === "focusin" && tile.matches(":focus-visible")))) return;
  const board = tile.closest(".board");
  for (const place of touches(tile)) board.querySelector(`[data-place="${place}"]`)?.classList.add("touched");
}

function touches(tile) {
  const hand = document.querySelector("input[name=number]:checked");
  const own = hand && tile.querySelector(`.told[data-number="${CSS.escape(hand.value)}"]`);
  return ((own || tile).dataset.touches || "").split(" ").filter(Boolean).map(Number);
}
for (const kind of ["pointerover", "focusin", "focusout"]) document.addEventListener(kind, mark);

// Keys.
const tiles = () => [...document.querySelectorAll(".board button[name=move]")];
let typed = "";
let forget = 0;

function play(text) {
  const tile = tiles().find((each) => each.value === text || each.value === `@${text}`);
  if (tile) tile.focus();
  return tile;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=radio]), select, textarea")) return;
  const board = tiles();
  const at = board.indexOf(document.activeElement);
  const press = (selector) => { const found = document.querySelector(selector); if (found) { event.preventDefault(); found.click(); } };
  if (/^[0-9]$/.test(event.key)) {
    clearTimeout(forget);
    forget = setTimeout(() => { typed = ""; }, 1200);
    typed = play(typed + event.key) ? typed + event.key : play(event.key) ? event.key : typed + event.key;
  } else if (["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"].includes(event.key) && at >= 0) {
    event.preventDefault();
    const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1;
    board[(at + step + board.length) % board.length].focus();
  } else if (!table || !table.contains(document.activeElement)) return; // letters are for who is at the table
  else if (event.key === "u") press("[data-action=undo], [data-action=takeback]");
  else if (event.key === "h") press("[data-action=hint]");
  else if (event.key === "v") press("[data-action=values]");
  else if (event.key === ",") press("[data-step=back]");
  else if (event.key === ".") press("[data-step=on]");
});

offerCopies();
// A browser has few connections to one server: pages that nobody sees leave theirs to the others.
document.addEventListener("visibilitychange", () => {
  if (!table) return;
  if (document.hidden) source?.close();
  else listen();
});

if (table && !document.hidden) listen();
