// What friends do in the visitor's games while this page shows something else: title, icon, toast, sound, notification,
// and lists of games that stay up to date. On pages of visitors with a seat, site.js loads this script; they work without it.
//
// One tab of the browser listens to /me/events for all of them, and tells them by a BroadcastChannel.

const words = document.getElementById("news").dataset; // data-your-turn
const root = document.documentElement;
const icon = document.querySelector("link[rel=icon]");
const plainIcon = icon.getAttribute("href");
const here = location.pathname;

const QUIET = 400; // milliseconds in which several changes become one piece of news
const REST = 1000; // milliseconds for a page to load what it shows
const LEASE = 60_000; // milliseconds for which a tab is believed to listen, where there are no locks

const SILENT = ["visited", "lent", "carried", "reclaimed"]; // what friends do with their own devices is no news

/** The games with a friend: version, and whether it is the visitor's turn. Every tab knows them. */
const games = new Map();

let channel = null;

function tell(message) {
  channel?.postMessage(message);
  hear(message);
}

/** A message of any tab, this one included. */
function hear(message) {
  if (message.kind === "games") {
    games.clear();
    for (const [id, game] of message.games) games.set(id, game);
    clearTimeout(waitingTimer);
    waitingTimer = setTimeout(showWaiting, QUIET); // the page of a game shows the move first
    refreshLists();
  } else if (message.kind === "news") {
    if (isSeen(message.entry)) tell({ kind: "seen", id: message.entry.id, version: message.entry.version });
  } else if (message.kind === "seen") {
    seen.set(message.id, message.version);
  } else if (message.kind === "hello" && leading) {
    channel?.postMessage({ kind: "games", games: [...games] });
  }
}

// What this page shows

let title = document.title;
let waitingTimer = 0;

/** The addresses of the games that wait for the visitor. */
const waitingGames = () => [...games].filter(([, game]) => game.yours).map(([id]) => `/g/${id}`);

function showTitle(waiting = waitingGames()) {
  const others = waiting.filter((each) => each !== here).length; // the page of a game says itself whose turn it is
  if (document.title !== shownTitle) title = document.title; // another script has changed it
  if (document.hidden && others < waiting.length) shownTitle = `● ${words.yourTurn} · ${document.querySelector("h1").textContent}`;
  else shownTitle = others ? `(${others}) ${title}` : title;
  if (document.title !== shownTitle) document.title = shownTitle;
}

/** The number of games that wait for the visitor, in the title, the icon and the menu. */
function showWaiting() {
  const waiting = waitingGames();
  showTitle(waiting);
  const shownIcon = waiting.length ? icon.dataset.turn : plainIcon;
  if (icon.getAttribute("href") !== shownIcon) icon.setAttribute("href", shownIcon); // an icon is loaded each time it is set
  const link = document.getElementById("my-games-link");
  if (!link) return;
  const badge = link.querySelector(".badge") ?? document.createElement("span");
  badge.className = "badge accent";
  badge.textContent = waiting.length;
  if (!waiting.length) badge.remove();
  else if (!badge.isConnected) link.append(" ", badge);
}
let shownTitle = title;

/** Whether the visitor looks at this page, and so has seen the news: on its own page, or in a toast. */
function isSeen(entry) {
  if (document.hidden || !document.hasFocus()) return false;
  if (entry.url !== here) {
    document.dispatchEvent(new CustomEvent("toast", { detail: { text: entry.news, url: entry.url } }));
    chime();
  }
  return true;
}

let listTimer = 0;

/** Fetch the lists of games on this page again. */
function refreshLists() {
  const lists = document.querySelectorAll("[data-refresh]");
  if (!lists.length) return;
  clearTimeout(listTimer);
  listTimer = setTimeout(async () => {
    try {
      const answer = await fetch(location.href);
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelectorAll("[data-refresh]");
      if (fresh.length !== lists.length) location.reload(); // a list has come or gone
      else lists.forEach((each, index) => { if (!each.contains(document.activeElement)) each.replaceWith(fresh[index]); });
      showTimes();
    } catch { /* no connection: the list is as old as it was */ }
  }, QUIET);
}

/** Times as people say them: 5 minutes ago. */
function showTimes() {
  const times = document.querySelectorAll("time[datetime]:not([data-deadline])");
  if (!times.length) return; // the words of a language take long to load
  const say = new Intl.RelativeTimeFormat(root.lang, { numeric: "auto" });
  for (const each of times) {
    const past = (new Date(each.dateTime) - Date.now()) / 1000;
    const [unit, seconds] = [["day", 86400], ["hour", 3600], ["minute", 60]].find(([, long]) => -past >= long) ?? ["second", 1];
    each.textContent = -past < 60 ? say.format(0, "second") : say.format(Math.ceil(past / seconds), unit);
  }
}

// Telling the visitor who looks elsewhere

const seen = new Map(); // by id, the version of which a tab says that the visitor has seen it
const told = new Map();

/** Two notes, if the visitor has switched sound on. */
function chime() {
  if (!root.hasAttribute("data-sound")) return;
  const audio = new AudioContext();
  [[523, 0], [784, 0.14]].forEach(([frequency, from]) => {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    volume.gain.setValueAtTime(0.12, audio.currentTime + from);
    volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + from + 0.25);
    tone.frequency.value = frequency;
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + from);
    tone.stop(audio.currentTime + from + 0.3);
  });
  setTimeout(() => audio.close(), 1000);
}

const mayNotify = () => "Notification" in window && Notification.permission === "granted";

/** A notification of the system: one for each game, the latest. */
async function notify(entry) {
  chime();
  if (!mayNotify()) return;
  const options = { body: entry.news, tag: entry.id, icon: icon.dataset.app, data: { url: entry.url } };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) await worker.showNotification(entry.title, options);
  else new Notification(entry.title, options).onclick = () => { window.focus(); location.assign(entry.url); };
}

/** Say what has happened in these games: in a page that the visitor sees, or else by a notification. */
async function say(ids) {
  const answer = await fetch("/games/news");
  if (!answer.ok) throw new Error("no news now");
  const entries = (await answer.json()).filter((each) => ids.has(each.id) && each.news && told.get(each.id) !== each.version);
  for (const entry of entries) {
    told.set(entry.id, entry.version);
    tell({ kind: "news", entry });
  }
  await new Promise((resolve) => setTimeout(resolve, QUIET)); // for the answers of other tabs
  for (const entry of entries) if (seen.get(entry.id) !== entry.version) await notify(entry);
}

// The tab that listens

let leading = false;
let source = null;
let changed = new Set();
let changedTimer = 0;

/** Take note of a game as the server describes it; return whether a friend has done something in it. */
function note(game) {
  const [seat, both] = game.seats;
  if (both || game.players[2 - seat].kind === "computer") return false;
  const before = games.get(game.id);
  games.set(game.id, { version: game.version, yours: game.your_turn });
  if (game.status === "over") games.delete(game.id);
  return game.last.player !== seat && before?.version !== game.version && !SILENT.includes(game.last.kind);
}

/** What happens in the game that the visitor looks at is no news, even if the visitor leaves it soon after. */
const isLookedAt = (id) => here === `/g/${id}` && !document.hidden && document.hasFocus();

function listen() {
  source?.close();
  const own = source = new EventSource("/me/events");
  own.addEventListener("games", (event) => {
    const all = JSON.parse(event.data);
    const known = new Map(games);
    games.clear();
    for (const [id, game] of known) if (all.some((each) => each.id === id)) games.set(id, game);
    // After a lost connection, what has happened meanwhile is news. To the first tab, nothing is.
    for (const each of all) if (note(each) && known.has(each.id)) changed.add(each.id);
    spread();
  });
  own.addEventListener("version", (event) => {
    const game = JSON.parse(event.data);
    if (note(game) && !isLookedAt(game.id)) changed.add(game.id);
    spread();
  });
  own.addEventListener("error", () => {
    if (own.readyState === EventSource.CLOSED && own === source && leading) setTimeout(() => { if (leading) listen(); }, 5000);
  });
}

/** Tell all tabs how the games stand, and a moment later what friends have done. */
function spread() {
  tell({ kind: "games", games: [...games] });
  clearTimeout(changedTimer);
  changedTimer = setTimeout(() => {
    const ids = changed;
    changed = new Set();
    for (const id of ids) if (isLookedAt(id)) ids.delete(id); // the visitor has come to see it
    if (ids.size) say(ids).catch(() => { // no connection, or a busy server: the news is still to be told
      for (const id of ids) changed.add(id);
      setTimeout(() => { if (leading) spread(); }, 5000);
    });
  }, QUIET);
}

let release = null;
let leaseTimer = 0;

/** Listen if no other tab does, or as soon as it ends. */
function begin() {
  channel = new BroadcastChannel("duels");
  channel.addEventListener("message", (event) => hear(event.data));
  channel.postMessage({ kind: "hello" });
  if (navigator.locks) {
    const leaving = new AbortController();
    release = () => leaving.abort();
    navigator.locks.request("duels", { signal: leaving.signal }, () => {
      leading = true;
      listen();
      return new Promise((resolve) => { release = resolve; });
    }).catch(() => { /* the page was left first */ });
    return;
  }
  // Without HTTPS there are no locks: the tab that listens says so again and again.
  const me = Math.random();
  const attempt = () => {
    const [owner, until] = (localStorage.getItem("duels") ?? "").split(" ");
    if (Number(until) > Date.now() && Number(owner) !== me) return;
    localStorage.setItem("duels", `${me} ${Date.now() + LEASE}`);
    if (!leading) { leading = true; listen(); }
  };
  release = () => { if (leading) localStorage.removeItem("duels"); };
  leaseTimer = setInterval(attempt, LEASE / 4);
  attempt();
}

/** Leave nothing open: only then the browser keeps the page for the way back. */
function end() {
  leading = false;
  clearInterval(leaseTimer);
  source?.close();
  release?.();
  channel?.close();
  channel = null;
}

begin();
showTimes();
addEventListener("pagehide", end);
addEventListener("pageshow", (event) => { if (event.persisted) begin(); });
document.addEventListener("visibilitychange", showWaiting);
document.addEventListener("replaced", () => showTitle()); // the icon and the menu cost a frame, and can wait

// The button that asks for notifications. Browsers ask only after a press.

function showNotifyButtons() {
  for (const each of document.querySelectorAll("[data-notify]")) {
    each.hidden = !("Notification" in window) || Notification.permission !== "default";
  }
}
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-notify]");
  if (!button) return;
  const answer = await Notification.requestPermission();
  if (answer === "granted") document.dispatchEvent(new CustomEvent("toast", { detail: button.dataset.notify }));
  showNotifyButtons();
});
showNotifyButtons();
document.addEventListener("replaced", showNotifyButtons);

// The service worker shows notifications, and a page of its own without a connection. Its installation loads
// files and takes over the page, so the page comes first.
const registerWorker = () => navigator.serviceWorker?.register("/service-worker.js").catch(() => { /* not here */ });
setTimeout(registerWorker, REST);
