// Boards: which tiles a move would touch, and keys. This script knows no rules: the server renders legal moves and
// their effects.

const tiles = () => [...document.querySelectorAll(".board button[name=move]")];

// Enter on a number of the hand presses a button that places it nowhere: go to the tiles instead.
document.addEventListener("submit", (event) => {
  if (!event.submitter?.matches(".unplaced")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  tiles()[0]?.focus();
});

// A finger cannot hover: the first tap on a tile shows what it would do, the second plays it. The setting "one tap" plays
// at once, and a board whose moves have no effects to show does, too.
let finger = false;
document.addEventListener("pointerdown", (event) => { finger = event.pointerType === "touch"; }, true);

function preview(tile) {
  for (const each of document.querySelectorAll(".previewed")) if (each !== tile) each.classList.remove("previewed");
  tile?.classList.add("previewed");
}
document.addEventListener("click", (event) => {
  const tile = event.target.closest(".board button[name=move]");
  if (finger && tile && event.detail && !document.documentElement.hasAttribute("data-one-tap") && tile.querySelector(".told") && !tile.classList.contains("previewed")) {
    event.preventDefault();
    preview(tile);
    mark(tile);
  } else if (!event.target.closest(".hand")) preview(null);
}, true);

/** Mark the tiles that a move would touch, while its tile has the pointer or the focus. */
function markTouchedTiles(event) {
  const tile = event.target.closest ? event.target.closest(".tile[data-move]") : null;
  if (event.type === "change") return mark(document.querySelector(".tile.previewed"));
  mark(event.type === "pointerover" || (event.type === "focusin" && tile?.matches(":focus-visible")) ? tile : document.querySelector(".tile.previewed"));
}

function mark(tile) {
  for (const each of document.querySelectorAll(".touched")) each.classList.remove("touched");
  if (!tile) return;
  const board = tile.closest(".board");
  for (const place of touchedTiles(tile)) board.querySelector(`[data-place="${place}"]`)?.classList.add("touched");
}

function touchedTiles(tile) {
  const hand = document.querySelector("input[name=number]:checked");
  const own = hand && tile.querySelector(`.told[data-number="${CSS.escape(hand.value)}"]`);
  return ((own || tile).dataset.touches || "").split(" ").filter(Boolean).map(Number);
}
for (const kind of ["pointerover", "focusin", "focusout", "change"]) document.addEventListener(kind, markTouchedTiles);

// Keys: the number of a tile, and arrows between tiles.
let typed = "";
let typedTimer = 0;

function focusTile(text) {
  const tile = tiles().find((each) => (each.dataset.name || each.value) === text);
  if (tile) tile.focus();
  return tile;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=radio]), select, textarea")) return;
  const board = tiles();
  const at = board.indexOf(document.activeElement);
  if (/^[0-9]$/.test(event.key)) {
    clearTimeout(typedTimer);
    typedTimer = setTimeout(() => { typed = ""; }, 1200);
    typed = focusTile(typed + event.key) ? typed + event.key : focusTile(event.key) ? event.key : typed + event.key;
  } else if (["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"].includes(event.key) && at >= 0) {
    event.preventDefault();
    const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1;
    board[(at + step + board.length) % board.length].focus();
  }
});
