// What moves when a match has gone on: a taken number flies to its player, a placed one comes from its player, points rise
// from the scores. This script compares two fragments and knows no rules; board.css has the animations of tiles.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const DURATION = 380;
const EASE = "cubic-bezier(0.2, 0.8, 0.2, 1)";

const kindOf = (tile) => ["first", "second", "locked", "removed", "empty", "filled", "open", "closed"].find((each) => tile.classList.contains(each));
const labelOf = (tile) => tile.querySelector(".label").textContent;
const seatOf = (player) => document.querySelector(`.seat.player-${player} .avatar`);

/** Let a copy of a text fly from one box to another. */
function fly(text, from, to, kind) {
  if (!from.width || !to.width) return;
  const copy = document.createElement("span");
  copy.className = `flying ${kind}`;
  copy.textContent = text;
  copy.setAttribute("aria-hidden", "true");
  document.body.append(copy);
  const size = Math.min(from.width, from.height, 96);
  Object.assign(copy.style, { width: `${size}px`, height: `${size}px`, fontSize: `${size * 0.5}px` });
  const at = (box, scale) => `translate(${box.x + box.width / 2 - size / 2}px, ${box.y + box.height / 2 - size / 2}px) scale(${scale})`;
  copy.animate(
    [{ transform: at(from, 1), opacity: 1 }, { transform: at(to, Math.min(1, to.width / size)), opacity: 0.25 }],
    { duration: DURATION, easing: EASE },
  ).finished.finally(() => copy.remove());
}

document.addEventListener("painted", (event) => {
  const { before } = event.detail ?? {};
  const after = document.querySelector(".playing");
  if (!before || !after || calm.matches || document.hidden) return;
  // Only a step of one or two moves is shown as motion, and only forward.
  const steps = Number(after.dataset.ply) - Number(before.dataset.ply);
  if (steps < 1 || steps > 2) return;
  const old = new Map([...before.querySelectorAll(".tile")].map((tile) => [tile.dataset.place, tile]));
  const changed = [];
  const ghosts = [];
  const flights = []; // measured first and begun at last: a box that is read after a change costs a layout
  for (const tile of after.querySelectorAll(".tile")) {
    const was = old.get(tile.dataset.place);
    if (!was) continue;
    const [kind, former] = [kindOf(tile), kindOf(was)];
    const just = tile.classList.contains("just");
    if (kind === "empty" && (former === "filled" || (just && after.dataset.placed))) {
      ghosts.push([tile, former === "filled" ? labelOf(was) : after.dataset.placed]);
    }
    if (kind === former || kind === "open" || kind === "closed" || kind === "empty") continue;
    changed.push([tile, former]);
    const box = tile.getBoundingClientRect();
    const mover = 2 - (Number(after.dataset.ply) % 2);
    if (kind === "first" || kind === "second") {
      const home = seatOf(kind === "first" ? 1 : 2);
      if (home) flights.push([labelOf(tile), box, home.getBoundingClientRect(), kind]);
    } else if (kind === "filled" && just) {
      const home = seatOf(mover);
      if (home) flights.push([labelOf(tile), home.getBoundingClientRect(), box, kind]);
    }
  }
  for (const [tile, former] of changed) tile.dataset.was = former;
  for (const [tile, text] of ghosts) tile.querySelector(".face").dataset.ghost = text;
  for (const flight of flights) fly(...flight);
  for (const score of after.querySelectorAll("[data-score]")) {
    const player = score.closest(".seat").classList.contains("player-1") ? 1 : 2;
    const former = before.querySelector(`.seat.player-${player} [data-score]`);
    const change = former ? Number(score.dataset.score) - Number(former.dataset.score) : 0;
    if (change) score.dataset.delta = change > 0 ? `+${change}` : `−${-change}`;
  }
});
