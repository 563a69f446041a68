// All tools, and which of them is in the hand: a question that wants a place or a pick comes before what was chosen.
/** @import { State } from "../state/types" */
/** @import { Tool } from "./machine.js" */
import { ownQuestion } from "../state/select.js";
import { aim } from "./aim.js";
import { draw } from "./draw.js";
import { measure } from "./measure.js";
import { pan } from "./pan.js";
import { pick } from "./pick.js";
import { place } from "./place.js";
import { select } from "./select.js";

/** @type {readonly Tool[]} */
export const TOOLS = [pan, select, measure, draw, pick, place, aim];

const FOR_QUESTION = /** @type {Record<string, Tool>} */ ({ choose: pick, choosesome: pick, place, aim });

/** @param {State} state @returns {Tool} */
export function toolFor(state) {
  const kind = ownQuestion(state)?.question.kind;
  const chosen = TOOLS.find((tool) => tool.name === state.tool) ?? select;
  if (kind && chosen !== measure && chosen !== pan) return FOR_QUESTION[kind] ?? chosen;
  return chosen;
}
