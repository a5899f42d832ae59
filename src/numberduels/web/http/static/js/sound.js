// Sounds of a match, off until the visitor switches them on: a move, your turn, the end. They are made here, not loaded.

let audio = null;

/** Play notes, each [frequency in hertz, seconds from now, seconds long]. */
function play(notes) {
  audio ??= new AudioContext();
  for (const [frequency, from, long] of notes) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const start = audio.currentTime + from;
    tone.type = "triangle";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.16, start + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + long);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + long);
  }
}

const SOUNDS = {
  move: [[330, 0, 0.09]],
  mine: [[440, 0, 0.12], [660, 0.1, 0.18]],
  won: [[523, 0, 0.15], [659, 0.13, 0.15], [784, 0.26, 0.35]],
  lost: [[392, 0, 0.2], [311, 0.18, 0.35]],
  over: [[440, 0, 0.2], [440, 0.22, 0.3]],
};

const isOn = () => document.documentElement.hasAttribute("data-sound");

document.addEventListener("replaced", (event) => {
  const { before } = event.detail ?? {};
  const after = document.querySelector(".playing");
  if (!isOn() || !before || !after || after.dataset.now === before.dataset.now && after.dataset.status === before.dataset.status) return;
  if (after.dataset.status === "over" && before.dataset.status !== "over") {
    const end = after.querySelector(".finale");
    play(SOUNDS[end?.classList.contains("won") ? "won" : end?.classList.contains("lost") ? "lost" : "over"]);
  } else play(SOUNDS[after.dataset.mine ? "mine" : "move"]);
});
// A sound as the answer to switching it on; browsers play nothing before the first press.
document.addEventListener("setting", (event) => { if (event.detail === "sound" && isOn()) play(SOUNDS.mine); });
