// The files that go with the message: which were chosen, and that they are on their way.
import { act, byId, drawn, on } from "./dom.js";

let isSending = false;

/** Say what there is to say of the chosen files. After an answer their field is drawn anew, and empty. */
function showChosen() {
  const [words, files] = [byId("files-chosen"), [...(byId("files")?.files ?? [])]];
  if (!words) return;
  const names = `${words.dataset.chosen} ${files.map((file) => file.name).join(", ")}`;
  const said = !files.length ? "" : isSending ? words.dataset.sending : names;
  if (words.textContent !== said) words.textContent = said;
  byId("files-forget").hidden = !files.length || isSending;
}

function setSending(is) {
  isSending = is;
  showChosen();
}

on("change", "#files", showChosen);
act("forget-files", () => {
  byId("files").value = "";
  showChosen();
  byId("message").focus();
});
on("submit", "#composer", () => setSending(true));
document.addEventListener("handraise:answered", ({ detail }) => { if (detail.form?.id === "composer") setSending(false); });
addEventListener("pageshow", () => setSending(false));
drawn(showChosen);
