// The hand on the table: the tool that is in it, the keys that work in every tool, odds of the selected shooter.
/** @import { Hand, Tool } from "./machine.js" */
import { isLive, offersFor, ownQuestion, seatOf } from "../state/select.js";
import { forget, foresee } from "./foresee.js";
import { toolFor } from "./index.js";
import { Machine } from "./machine.js";
import { isTyping, listen } from "./pointer.js";

/** @param {HTMLElement} host @param {Hand} hand */
export function takeUp(host, hand) {
  const { store } = hand;
  let tool = toolFor(store.get());
  const machine = new Machine(hand, () => tool);
  listen(host, machine, hand.sight);
  host.addEventListener("pointermove", (event) => showPointer(hand, host, event));
  host.addEventListener("pointerleave", () => hand.intents.point("cursor", { x: null, y: null }));
  tool.enter?.(hand);
  host.dataset["tool"] = tool.name;

  store.subscribe((state, before) => {
    const next = toolFor(state);
    const again = next === tool && ownQuestion(state)?.id !== ownQuestion(before)?.id;
    if (next !== tool || again) swap(next);
    if (state.selection !== before.selection || state.standing !== before.standing) weigh(hand);
  });

  /** @param {Tool} next */
  function swap(next) {
    machine.swap();
    const last = tool;
    tool = next;
    last.exit?.(hand);
    next.enter?.(hand);
    host.dataset["tool"] = next.name;
  }

  addEventListener("keydown", (event) => {
    if (isTyping(event) || event.defaultPrevented) return;
    const pressed = event.target instanceof Element && event.target.closest("button, a, [role=listbox], [role=option], [role=tab], [role=dialog], dialog");
    if (pressed && (event.key === "Enter" || event.key.startsWith("Arrow") || event.code === "Space")) return;
    if (event.key === "Escape" && (hand.skip() || machine.cancel())) return event.preventDefault();
    if (tool.key?.(hand, event) || shared(hand, event)) event.preventDefault();
  });
  return machine;
}

/** The others see where a player points; watchers point at nothing. @param {Hand} hand @param {HTMLElement} host @param {PointerEvent} event */
function showPointer({ store, intents, sight }, host, event) {
  if (!seatOf(store.get()) || store.get().cursor !== null || event.pointerType === "touch") return;
  const box = host.getBoundingClientRect();
  intents.point("cursor", sight.point(event.clientX - box.left, event.clientY - box.top));
}

/** Keys that mean the same whatever is in the hand. @param {Hand} hand @param {KeyboardEvent} event */
function shared(hand, event) {
  const { local, sight, store } = hand;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  switch (event.key) {
    case "f": case "F": return sight.fit(), true;
    case "Home": return sight.home(), true;
    case "v": case "V": return local.tool("select"), true;
    case "m": case "M": return local.tool(store.get().tool === "measure" ? "select" : "measure"), true;
    case "d": case "D": return seatOf(store.get()) ? (local.tool("draw"), true) : false;
    case "Escape": return store.get().tool === "select" ? false : (local.tool("select"), true);
    default: return false;
  }
}

/** The odds of what the one selected model could do. @param {Hand} hand */
function weigh(hand) {
  const state = hand.store.get();
  if (ownQuestion(state)) return;
  const [only, more] = state.selection;
  const offer = only && !more && isLive(state) ? offersFor(state, only).find((one) => one.action !== "move") : null;
  if (offer && only && !Object.keys(state.standing.questions).length) foresee(hand, { action: offer.action, subject: only });
  else forget(hand);
}
