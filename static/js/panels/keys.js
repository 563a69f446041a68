// Keys of the panels. Keys of the table (measure, zoom, turn) belong to its tools.
/** @import { State, Store } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { lastAction, offersFor, start } from "./offers.js";
import { answerByKey, askedOf } from "./questions.js";
import { leave, stepFrom, turnFrom } from "./replay.js";

/** @type {Record<string, string>} */
const TABS = { l: "log", c: "chat", a: "army", r: "replay" };

/** @param {Store} store @param {Acts} acts @param {{question: {until: number}}} guards */
export function keys(store, acts, guards) {
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.defaultPrevented || isTyping(event.target)) return;
    const guarded = performance.now() < guards.question.until;
    if (pressed(store.get(), acts, event, guarded)) event.preventDefault();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

/** @param {EventTarget | null} target */
const isTyping = (target) => target instanceof Element && target.closest("input, textarea, select, dialog, [contenteditable]") !== null;

/** @param {State} state @param {Acts} acts @param {KeyboardEvent} event @param {boolean} guarded */
function pressed(state, acts, event, guarded) {
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && key === "z") return undo(state, acts);
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (state.cursor !== null && stepped(state, acts, event.key)) return true;
  if (key === "?") return acts.show({ dialog: "help" }), true;
  if (key === "g" && askedOf(state)) return focusPrompt();
  if (TABS[key]) return acts.tab(TABS[key]), openRight(acts), true;
  if (askedOf(state)) return guarded ? /^[yn1-9]$/.test(key) : answerByKey(state, acts, key);
  return offered(state, acts, key);
}

/** Where the side panels are drawers, a tab is of no use behind the edge. @param {Acts} acts */
function openRight(acts) {
  if (matchMedia("(max-width: 1100px), (max-height: 520px)").matches) acts.drawer("right");
}

function focusPrompt() {
  /** @type {HTMLElement | null} */ (document.querySelector("#prompt button:not([disabled]), #prompt input"))?.focus();
  return true;
}

/** @param {State} state @param {Acts} acts */
function undo(state, acts) {
  const to = state.standing.undo ?? lastAction(state);
  if (to === null || state.cursor !== null || state.standing.motion !== null) return false;
  acts.propose({ motion: "undo", to });
  return true;
}

/** @param {State} state @param {Acts} acts @param {string} key */
function offered(state, acts, key) {
  if (!/^[1-9]$/.test(key)) return false;
  const models = state.selection.map((id) => ({ id }));
  const offer = offersFor(state, models)[Number(key) - 1];
  if (offer) start(acts, offer, models);
  return offer !== undefined;
}

/** @param {State} state @param {Acts} acts @param {string} key */
function stepped(state, acts, key) {
  const at = state.cursor ?? state.seq;
  /** @type {Record<string, () => number>} */
  const to = {
    ArrowLeft: () => stepFrom(state.log, at, -1), ArrowRight: () => stepFrom(state.log, at, 1),
    PageUp: () => turnFrom(state.log, at, -1), PageDown: () => turnFrom(state.log, at, 1), Home: () => 0, End: () => state.seq,
  };
  if (key === "Escape") return leave(acts), true;
  const go = to[key];
  if (!go || document.activeElement?.closest("#log, [role=tablist]")) return false;
  acts.cursor(go());
  return true;
}
