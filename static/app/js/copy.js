// A button on every block of code that copies it.
import { act, byId, drawn } from "./dom.js";

drawn(() => {
  const button = byId("copy-button");
  if (!button || !navigator.clipboard) return;
  for (const block of document.querySelectorAll("pre:not([data-copies])")) {
    block.dataset.copies = "true";
    block.after(button.content.cloneNode(true));
  }
});

act("copy", async (button) => {
  await navigator.clipboard.writeText(button.previousElementSibling.textContent);
  const words = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => { button.textContent = words; }, 1500);
});
