// What needs the other side's consent. It stands at the top of the table, where no question ever is.
/** @import { Proposed, WireEvent } from "../net/types" */
/** @import { State } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { html, nothing } from "lit-html";
import { entriesOf, lineWords } from "./log.js";
import { isSeat, personName } from "./names.js";
import { text } from "./text.js";

/** @param {State} state @param {Acts} acts @param {boolean} guarded */
export function motionBanner(state, acts, guarded) {
  const proposed = motionOf(state);
  if (!proposed) return nothing;
  const mine = proposed.by === state.role;
  const vote = (/** @type {boolean} */ yes) => { if (!guarded) acts.vote(proposed.seq, yes); };
  return html`<div class="banner motion" role="alert" data-guard=${guarded}><span>${motionText(state, proposed)}</span>
    ${isSeat(state.role) && !mine ? html`<button class="primary" @click=${() => vote(true)}>${text.agree}</button><button @click=${() => vote(false)}>${text.decline}</button>`
      : html`<span class="muted">(${text.waitsForVote})</span>`}
    ${mine ? html`<button @click=${() => vote(false)}>${text.withdraw}</button>` : nothing}</div>`;
}

/** @param {State} state @returns {Proposed | null} */
export function motionOf(state) {
  const seq = state.standing.motion;
  if (seq === null) return null;
  const found = state.log.find((/** @type {WireEvent} */ event) => event.seq === seq);
  return found?.kind === "proposed" ? found : null;
}

/** An undo names the event it goes back to. @param {State} state @param {Proposed} proposed */
function motionText(state, { motion, by }) {
  const who = personName(state.crowd, by);
  switch (motion.motion) {
    case "undo":
      return text.motion.undo(who, eventWords(state, motion.to));
    case "resolve":
      return text.motion.resolve(who);
    case "end":
      return text.motion.end(who);
    case "option":
      return text.motion.option(who, motion.key, String(motion.value));
  }
}

/** @param {State} state @param {number} seq */
export function eventWords(state, seq) {
  const lines = entriesOf(state).flatMap((entry) => entry.lines);
  const line = lines.find((one) => one.seq >= seq);
  return line ? `“${lineWords(line)}” (${seq})` : `event ${seq}`;
}
