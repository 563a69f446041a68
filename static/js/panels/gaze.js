// What is looked at, by pointer or by focus: a line or an option lights its models, a rule's number shows its sentence.
/** @import { Store } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { walkLog } from "./log.js";
import { ruleText } from "./parts.js";

/** @param {Store} store @param {Acts} acts */
export function gaze(store, acts) {
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.id = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.append(tip);
  const look = (/** @type {Event} */ event) => looked(store, acts, tip, event);
  const key = (/** @type {KeyboardEvent} */ event) => walkLog(event, acts);
  document.addEventListener("pointerover", look);
  document.addEventListener("focusin", look);
  document.addEventListener("keydown", key);
  return () => {
    document.removeEventListener("pointerover", look);
    document.removeEventListener("focusin", look);
    document.removeEventListener("keydown", key);
    tip.remove();
  };
}

/** @param {Store} store @param {Acts} acts @param {HTMLElement} tip @param {Event} event */
function looked(store, acts, tip, event) {
  if (!(event.target instanceof Element)) return;
  const holder = /** @type {HTMLElement | null} */ (event.target.closest("[data-refs]"));
  const refs = holder?.dataset["refs"]?.split(" ").filter(Boolean) ?? [];
  const lit = store.get().lit;
  if (refs.length || lit.length) if (refs.join() !== lit.join()) acts.light(refs);
  const chip = /** @type {HTMLElement | null} */ (event.target.closest("[data-rule]") ?? (event.type === "focusin" ? event.target.querySelector(":scope > [data-rule]") : null));
  if (chip?.dataset["rule"]) show(tip, chip, ruleText(store.get(), chip.dataset["rule"]));
  else tip.hidden = true;
}

/** Below its chip, within the window. @param {HTMLElement} tip @param {HTMLElement} chip @param {string} words */
function show(tip, chip, words) {
  tip.textContent = words;
  tip.hidden = false;
  const at = chip.getBoundingClientRect();
  const size = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
  tip.style.top = `${at.bottom + size.height + 8 > innerHeight ? at.top - size.height - 6 : at.bottom + 6}px`;
}
