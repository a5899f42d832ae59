// Copying and sharing links, also without HTTPS, where browsers have neither a clipboard API nor a menu for sharing.
//
//   <input data-copy> and beside it <button data-copies="Copied" hidden>
//   <button data-share="URL" data-share-text="…" data-shared="Link copied">
//   document.dispatchEvent(new CustomEvent("share", { detail: { url, text, copies, copied } }));   from other scripts
//
// What can be shared is shared; else it is copied, and a toast says whether that was possible.

const { failed } = document.getElementById("copying").dataset;

const say = (detail) => document.dispatchEvent(new CustomEvent("toast", { detail }));

/** Copy a text by selecting it: the way that works on any page, but only during a click. */
function copySelection(text) {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.className = "visually-hidden";
  field.readOnly = true;
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  focused?.focus({ preventScroll: true });
  return done;
}

/** Copy a text; whether it is in the clipboard now. */
async function copy(text) {
  if (!navigator.clipboard) return copySelection(text);
  return navigator.clipboard.writeText(text).then(() => true, () => copySelection(text));
}

/** Share a link with a text, or copy `copies`, by default the link. */
async function share({ url, text, copies = url, copied }) {
  if (navigator.share) {
    const refused = await navigator.share({ url, text }).then(() => null, (error) => error.name);
    if (!refused || refused === "AbortError") return; // the visitor thought better of it
  }
  say(await copy(copies) ? copied : { text: failed, url });
}

function showCopyButtons() {
  for (const each of document.querySelectorAll("[data-copies]")) each.hidden = false;
}

document.addEventListener("focusin", (event) => { if (event.target.matches("[data-copy]")) event.target.select(); });
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copies], [data-share]");
  if (!button) return;
  const { share: url, shareText: text, shared: copied, copies } = button.dataset;
  if (url) {
    share({ url, text, copied });
    return;
  }
  const field = button.parentElement.querySelector("[data-copy]");
  const done = await copy(field.value);
  field.select();
  if (done) button.textContent = copies;
  say(done ? copies : failed);
});
document.addEventListener("share", (event) => share(event.detail));
document.addEventListener("replaced", showCopyButtons); // a script has put something new into the page
showCopyButtons();
