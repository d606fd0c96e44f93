// Buttons that copy: one on every block of code, one under every message of the agent.
import { act, byId, drawn } from "./dom.js";

drawn(() => {
  if (!byId("copy-button") || !navigator.clipboard) return;
  for (const block of document.querySelectorAll("pre:not(.code-block > pre)")) enclose(block);
  for (const row of document.querySelectorAll(".row-agent:not(.is-streaming, :has(.row-actions))")) {
    row.append(byId("copy-message").content.cloneNode(true));
  }
});

/** Give a block of code a frame that holds its button: the block itself scrolls. */
function enclose(block) {
  const frame = Object.assign(document.createElement("div"), { className: "code-block" });
  block.replaceWith(frame);
  frame.append(block, byId("copy-button").content.cloneNode(true));
}

/** Return the words of a message, its formulas as TeX. */
function wordsOf(message) {
  const copy = message.cloneNode(true);
  for (const button of copy.querySelectorAll("button")) button.remove();
  for (const math of copy.querySelectorAll("[data-tex]")) {
    const sign = math.classList.contains("math-display") ? "$$" : "$";
    math.textContent = sign + math.dataset.tex + sign;
  }
  return copy.textContent.trim();
}

act("copy", async (button) => {
  const code = button.closest(".code-block")?.querySelector("pre");
  await navigator.clipboard.writeText(code ? code.textContent : wordsOf(button.closest(".row").querySelector(".prose")));
  const label = button.querySelector("span") ?? button;
  const words = label.textContent;
  if (words === button.dataset.done) return; // said already: it must not be taken for the button's own words
  label.textContent = button.dataset.done;
  setTimeout(() => { label.textContent = words; }, 1500);
});
