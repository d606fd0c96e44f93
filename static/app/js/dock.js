// The foot of the chat: the card or the message field. Nothing typed is lost when one takes the other's place.
import { act, byId, on } from "./dom.js";
import { filledIn, setUpCard, typedIn } from "./card.js";
import { keepDraft } from "./draft.js";
import { clearNotice } from "./notice.js";

const message = () => byId("message");
const dock = () => byId("dock");

function showFace(face) {
  const element = dock();
  if (element) element.dataset.face = face;
}

function setReply(isReply) {
  const mark = byId("on-pending");
  if (!mark) return;
  mark.disabled = !isReply;
  byId("reply-note").hidden = !isReply;
}

let leaving = null;
let sending = null;
let sent = ""; // the message that is on its way
let typedSince = []; // what the fields of a card say whose answer was refused, where that is not what was sent
let moved = null; // what was filled into the card when its text went into the message field

/** Remember what is on its way: news may take the card away before the answer to its own submission has come. */
export function cardSent(source) {
  if (source?.id === "composer") sent = message().value;
  const form = source?.closest?.("#card-form");
  if (!form) return;
  sending = { form, texts: textsOf(form).map((field) => field.value) };
  typedSince = [];
}

const textsOf = (form) => [...form.querySelectorAll("[data-text], [data-own-text]")];

/** The submission was refused (0: no answer came). If the card has gone meanwhile its text is kept, unless the answer does that. */
export function cardRefused(source, status) {
  if (source?.matches?.(".kept")) keepInMessage(source.elements.message.value);
  const form = source?.closest?.("#card-form");
  if (!form || sending?.form !== form) return;
  typedSince = textsOf(form).map((field, place) => (field.value === sending.texts[place] ? null : field.value));
  const text = filledIn(form);
  if (!form.isConnected && ![409, 410].includes(status) && text) keep(text);
  sending = null;
}

export const cardTaken = () => { sending = null; };

/** Remember what is filled in before the card's place is drawn anew. */
export function cardBeforeSwap(ctx) {
  const form = byId("card-form");
  const text = form && filledIn(form);
  const since = sending?.form === form && ctx.response.status < 300 ? typedAfter(sending) : "";
  const isOwn = sending?.form === form || ctx.response.status >= 400 || (moved?.form === form && moved.text === text);
  leaving = form && { shown: byId("card-slot").dataset.shown, text: since || text, isOwn: isOwn && !since };
}

/** What was typed into a card after it was sent: the answer has none of it. */
function typedAfter({ form, texts }) {
  const added = textsOf(form).map(({ value }, place) => (value.startsWith(texts[place]) ? value.slice(texts[place].length) : value));
  return added.map((text) => text.trim()).filter(Boolean).join("\n\n");
}

/** Whether a card that comes may take the focus: nothing has it, as after a chat was begun, or the empty message field. */
const isFocusFree = () => [null, document.body, message()].includes(document.activeElement);

/** Decide what the dock shows after its card has come, changed or gone. With the page itself a card takes no focus. */
export function cardSlotSwapped(comesLater = true) {
  const slot = byId("card-slot");
  if (!slot || slot.dataset.isSetUp) return;
  slot.dataset.isSetUp = "true";
  const isSame = leaving && leaving.shown === slot.dataset.shown;
  if (leaving && !isSame) setReply(false); // whoever replies to a question has not seen the one that comes
  if (leaving && !isSame && !leaving.isOwn && leaving.text) keep(leaving.text);
  leaving = null;
  if (!slot.dataset.shown) {
    setReply(false);
    showFace("composer");
    return;
  }
  setUpCard(byId("card-form"));
  if (isSame && byId("card-form")) bringBack(byId("card-form"));
  if (isSame || !message().value.trim()) showCard(!isSame && comesLater && isFocusFree());
}

/** A card that was refused came back with what was sent: what was typed since stands in it again, and is its draft. */
function bringBack(form) {
  textsOf(form).forEach((field, place) => {
    if (typeof typedSince[place] !== "string") return;
    field.value = typedSince[place];
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  typedSince = [];
  keepDraft(form);
}

/** Put a text into the message field, below what stands there. */
function addToMessage(text) {
  const field = message();
  if (text && !field.value.includes(text)) field.value = [field.value.trim(), text].filter(Boolean).join("\n\n");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** A kept text that could not be sent as a message is one that is being written. */
function keepInMessage(text) {
  addToMessage(text);
  showFace("composer");
}

function showCard(movesFocus) {
  setReply(false);
  showFace("card");
  if (movesFocus) document.querySelector("#card .card-body")?.focus({ preventScroll: true });
}

/** Show what was filled into a card that has closed by itself. */
function keep(text) {
  const box = byId("kept-box")?.content.cloneNode(true);
  if (!box) return;
  box.querySelector("textarea").value = text;
  box.querySelector("[name=csrfmiddlewaretoken]").value = document.querySelector("#composer [name=csrfmiddlewaretoken]").value;
  byId("notice").append(box);
  htmx.process(byId("notice"));
}

/** Nothing can be handed in any more: take card and message field away. Returns what was typed into them. */
export function closeDock() {
  const card = byId("card-form");
  const typed = [card && filledIn(card), message().value.trim(), byId("kept-text")?.value].filter(Boolean).join("\n\n");
  byId("notice").replaceChildren();
  byId("card-slot").replaceChildren();
  showFace("gone");
  return typed;
}

act("show-card", (_link, event) => {
  if (!byId("card")) return;
  event.preventDefault();
  showCard(true);
  byId("card").scrollIntoView({ block: "nearest" });
});

act("reply", (button, event) => {
  event.preventDefault();
  event.stopPropagation();
  addToMessage(typedIn(button.form));
  moved = { form: button.form, text: filledIn(button.form) };
  setReply(true);
  showFace("composer");
  message().focus();
});

/** Take the message that was sent out of its field; what was typed since stays. */
function emptyMessage() {
  const field = message();
  if (field.value.startsWith(sent)) field.value = field.value.slice(sent.length).trimStart();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

act("dismiss", (button) => button.form.remove());

document.addEventListener("handraise:answered", ({ detail }) => {
  if (detail.form?.id !== "composer" || !detail.isTaken) return;
  emptyMessage();
  setReply(false);
  if (byId("card-slot").dataset.shown) showFace("card");
});

/** Get a fresh token against forged requests after the user has signed in anew, then let them send once more. */
act("renew", async () => {
  const answer = await fetch("/settings/form-token/", { headers: { "HX-Request": "true" }, cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const token = await answer.text();
  for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = token;
  clearNotice();
  (await import("./live.js")).resume();
  const form = dock()?.dataset.face === "card" ? byId("card-form") : byId("composer");
  form?.querySelector("button[type=submit].primary")?.focus();
});

on("keydown", "details.menu", (event, menu) => {
  if (event.key === "Escape") menu.open = false;
});

if (byId("card-slot")) cardSlotSwapped(false);
