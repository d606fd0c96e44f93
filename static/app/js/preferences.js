// What the person chose in the settings, as the page was told.
import { isComposing } from "./dom.js";

const { dataset } = document.body;
export const hasShortcuts = "shortcuts" in dataset;
export const goesOn = "goesOn" in dataset;

/** True for the key that sends: Enter, or Ctrl+Enter (Command+Enter) alone if that was chosen. */
export function sends(event) {
  if (event.key !== "Enter" || event.shiftKey || event.altKey || isComposing(event)) return false;
  return dataset.sendKey !== "ctrl_enter" || event.ctrlKey || event.metaKey;
}
