// The plan on its card: steps are moved, removed and added in the page. Without scripts the same buttons ask the server.
import { act, byId, on } from "./dom.js";
import { grow } from "./composer.js";

const list = () => byId("plan-fields");
const row = (button) => button.closest(".plan-field");
const field = (item) => item.querySelector("textarea");

/** Return the plan of a card in words if it was edited, else nothing. */
export function editedPlan(form) {
  const fields = [...form.querySelectorAll(".plan-edit[data-is-edited] [data-plan]")];
  if (!fields.length) return "";
  const texts = fields.map((each) => each.value.trim()).filter(Boolean);
  return fields[0].name === "goal" ? texts.map((text, place) => `${place + 1}. ${text}`).join("\n") : texts.join("");
}

on("input", ".plan-edit", (_event, part) => { part.dataset.isEdited = "true"; });

/** Give the fields their numbers anew and have the draft kept. */
function renumber() {
  const rows = [...list().children];
  rows.forEach((item, place) => {
    item.querySelector("[data-step-number]").textContent = place + 1;
    item.querySelector("[data-step-label]").htmlFor = field(item).id = `plan-step-${place + 1}`;
  });
  document.querySelector('[data-act="step-add"]').disabled = rows.length >= Number(list().dataset.limit);
  list().closest(".plan-edit").dataset.isEdited = "true";
  list().closest("form").dispatchEvent(new Event("change", { bubbles: true }));
}

function arrange(name, change) {
  act(name, (button, event) => {
    event.preventDefault();
    const focused = change(button);
    renumber();
    focused.focus();
  });
}

arrange("step-up", (button) => {
  row(button).previousElementSibling?.before(row(button));
  return button;
});

arrange("step-down", (button) => {
  row(button).nextElementSibling?.after(row(button));
  return button;
});

arrange("step-remove", (button) => {
  const item = row(button);
  const neighbour = item.nextElementSibling ?? item.previousElementSibling;
  if (!neighbour) return field(item);
  item.remove();
  return field(neighbour);
});

arrange("step-add", () => {
  list().append(byId("plan-step-new").content.cloneNode(true));
  const added = field(list().lastElementChild);
  grow(added);
  return added;
});
