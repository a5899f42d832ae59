// Puzzle pages: keeps in this browser what became of each puzzle, shows the streak, and shares a result.
//
// The log is in localStorage and never sent. An entry, by "game/level/seed": what happened in order (x wrong, h hint,
// v solved, s solution shown), the wrong answers and opened hints, and its day if it was the puzzle of that day and
// solved on it.

const KEY = "puzzles";
const MOST = 3000; // the oldest are dropped

function readLog() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) || "{}");
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

function writeLog(log) {
  const kept = Object.entries(log).slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch { /* storage is full or forbidden: the puzzle works without it */ }
}

const isOver = (entry) => /[vs]/.test(entry.events);
const isSolved = (entry) => Boolean(entry?.events?.includes("v"));

/** Add an event to a puzzle, and return its entry; nothing counts after the end or twice. */
function record(puzzle, event, what = "", day = "") {
  const log = readLog();
  const entry = log[puzzle] ?? { events: "", seen: [], day: "" };
  const seen = event + what;
  if (isOver(entry) || entry.seen.includes(seen)) return entry;
  entry.events += event;
  entry.seen.push(seen);
  if (event === "v") entry.day = day;
  delete log[puzzle]; // the newest entry is the last one
  log[puzzle] = entry;
  writeLog(log);
  return entry;
}

const dayBefore = (day) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

/** The days on which a puzzle of that day was solved. */
const solvedDays = (log) => new Set(Object.values(log).map((entry) => entry.day).filter(Boolean));

/** For how many days in a row a daily puzzle was solved, up to today or yesterday. */
function streak(log, today) {
  const days = solvedDays(log);
  let day = days.has(today) ? today : dayBefore(today);
  let count = 0;
  for (; days.has(day); day = dayBefore(day)) count += 1;
  return count;
}

/** The longest streak so far. */
function longestStreak(log) {
  let longest = 0;
  for (const day of solvedDays(log)) longest = Math.max(longest, streak(log, day));
  return longest;
}

/** Figures about all puzzles that came to an end. */
function statistics(log, today) {
  const over = Object.values(log).filter(isOver);
  const solved = over.filter(isSolved);
  const atOnce = solved.filter((entry) => entry.events === "v");
  return {
    streak: streak(log, today),
    longest: longestStreak(log),
    solved: solved.length,
    first: over.length ? `${Math.round((100 * atOnce.length) / over.length)} %` : "–",
  };
}

const GLYPHS = { x: "✗", h: "○", v: "✓", s: "★" };

/** What happened, without a word about the answer. */
const glyphs = (entry) => [...entry.events].map((each) => GLYPHS[each]).join("");

// The page

const EVENTS = { right: "v", wrong: "x", solution: "s" };

function recordPage() {
  const page = document.querySelector("[data-puzzle]");
  if (!page) return;
  const { puzzle, state, answer, day, today } = page.dataset;
  let entry = readLog()[puzzle];
  if (EVENTS[state]) entry = record(puzzle, EVENTS[state], answer, day === today ? day : "");
  const share = page.querySelector("[data-result]");
  if (share && isSolved(entry)) {
    share.hidden = false;
    share.querySelector("[data-glyphs]").textContent = glyphs(entry);
  }
}

function showStatistics() {
  for (const place of document.querySelectorAll("[data-statistics]")) {
    const log = readLog();
    const figures = statistics(log, place.dataset.today);
    place.hidden = !Object.keys(log).length;
    for (const each of place.querySelectorAll("[data-figure]")) each.textContent = figures[each.dataset.figure];
  }
}

function markSolved() {
  const log = readLog();
  for (const each of document.querySelectorAll("[data-solved-mark]")) {
    const entry = log[each.dataset.solvedMark];
    each.hidden = !isSolved(entry);
    if (isSolved(entry)) each.querySelector("[data-glyphs]").textContent = glyphs(entry);
  }
}

function show() {
  recordPage();
  showStatistics();
  markSolved();
}

// "toggle" does not bubble.
document.addEventListener("toggle", (event) => {
  const page = event.target.closest?.("[data-puzzle]");
  if (page && event.target.matches("details[data-hint][open]")) record(page.dataset.puzzle, "h", event.target.dataset.hint);
}, true);

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-share-result]");
  if (!button) return;
  const page = button.closest("[data-puzzle]");
  const { puzzle, title, day, today } = page.dataset;
  const { streak } = statistics(readLog(), today);
  const line = glyphs(readLog()[puzzle]) + (day && streak > 1 ? ` · ${button.dataset.streak.replace("{days}", streak)}` : "");
  const text = `${title}\n${line}`;
  const url = new URL(`/puzzles/${puzzle}`, location.href).href;
  const detail = { url, text, copies: `${text}\n${url}`, copied: button.dataset.copied };
  document.dispatchEvent(new CustomEvent("share", { detail })); // js/copy.js
});

for (const time of document.querySelectorAll("time[datetime]")) {
  const day = new Date(time.dateTime);
  time.textContent = day.toLocaleDateString(document.documentElement.lang, { dateStyle: "full", timeZone: "UTC" });
}
document.addEventListener("replaced", show);
show();
