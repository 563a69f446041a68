// The timeline. A replay is the live page with the cursor set earlier.
/** @import { WireEvent } from "../net/types" */
/** @import { State } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { html, nothing, svg } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { isSeat } from "./names.js";
import { copy } from "./parts.js";
import { text } from "./text.js";

const SPEEDS = [1, 2, 4, 8];

const SIGNS = {
  first: "M5 5h2.5v14H5zM19 5v14L8.5 12z", turnBack: "M12.5 5v14L3 12zM21.5 5v14L12 12z", back: "M16 5v14L6 12z",
  next: "M8 5v14l10-7z", turnNext: "M11.5 5v14l9.5-7zM2.5 5v14l9.5-7z", last: "M16.5 5H19v14h-2.5zM5 5v14l11-7z", play: "M7 4v16l13-8z", pause: "M6 5h4v14H6zM14 5h4v14h-4z",
};

/** @param {keyof typeof SIGNS} name */
const sign = (name) => html`<svg viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${SIGNS[name]}></path>`}</svg>`;

/** @param {State} state @param {Acts} acts @param {{save: () => void, share: (seq: number) => string}} files */
export function replayPanel(state, acts, files) {
  const at = state.cursor ?? state.seq;
  const go = (/** @type {number} */ seq) => acts.cursor(clamp(seq, state.seq));
  const words = text.replay;
  const step = (/** @type {"first" | "turnBack" | "back" | "next" | "turnNext" | "last"} */ name, /** @type {number} */ seq) => html`<button aria-label=${words[name]} title=${words[name]}
    ?disabled=${clamp(seq, state.seq) === at} @click=${() => go(seq)}>${sign(name)}</button>`;
  return html`<div class="timeline">
    <label><span>${words.slider}: ${words.at(at + 1, state.seq + 1)}</span>
      <input type="range" min="0" max=${Math.max(0, state.seq)} .value=${live(String(at))} @input=${(/** @type {InputEvent} */ event) => go(Number(/** @type {HTMLInputElement} */ (event.target).value))}></label>
    <div class="row">${step("first", 0)}${step("turnBack", turnFrom(state.log, at, -1))}${step("back", stepFrom(state.log, at, -1))}
      <button class="primary" @click=${() => play(state, acts)} aria-label=${state.replay.playing ? words.pause : words.play}>${sign(state.replay.playing ? "pause" : "play")}</button>
      ${step("next", stepFrom(state.log, at, 1))}${step("turnNext", turnFrom(state.log, at, 1))}${step("last", state.seq)}</div>
    <div class="row" role="group" aria-label=${words.speed}>${SPEEDS.map((speed) => html`<button aria-pressed=${state.replay.speed === speed}
      @click=${() => acts.dispatch({ type: "replay", patch: { speed } })}>${speed}×</button>`)}</div>
    ${state.cursor === null ? nothing : html`<button class="primary" @click=${() => leave(acts)}>${words.live}</button>`}
    <button @click=${() => { copy(files.share(at)); acts.notice(text.copied); }}>${words.share}</button>
    <button @click=${files.save}>${words.save}</button>
    ${isSeat(state.role) && state.cursor === null && state.standing.motion === null && !state.standing.frozen
      ? html`<button @click=${() => acts.propose({ motion: "end" })}>${state.table?.clock.over ? text.closeBattle : text.proposeEnd}</button>` : nothing}
    ${state.log.some((event) => event.kind === "closed") ? html`<a class="button" href="/verify">${words.verify}</a>` : html`<p class="muted small">${words.verifyLater}</p>`}
  </div>`;
}

/** @param {Acts} acts */
export function leave(acts) {
  acts.dispatch({ type: "replay", patch: { playing: false } });
  acts.cursor(null);
}

/** @param {State} state @param {Acts} acts */
function play(state, acts) {
  if (!state.replay.playing && (state.cursor === null || state.cursor >= state.seq)) acts.cursor(0);
  acts.dispatch({ type: "replay", patch: { playing: !state.replay.playing } });
}

/** @param {number} seq @param {number} last */
const clamp = (seq, last) => Math.max(0, Math.min(seq, last));

/** Steps go to what shows on the table or in the dice. @param {readonly WireEvent[]} log @param {number} at @param {1 | -1} way */
export function stepFrom(log, at, way) {
  const stops = log.filter((event) => ["opened", "changed", "rolled", "answered", "rewound"].includes(event.kind)).map((event) => event.seq);
  return way > 0 ? stops.find((seq) => seq > at) ?? log.at(-1)?.seq ?? 0 : stops.findLast((seq) => seq < at) ?? 0;
}

/** A page is a turn. @param {readonly WireEvent[]} log @param {number} at @param {1 | -1} way */
export function turnFrom(log, at, way) {
  const stops = turnStarts(log);
  return way > 0 ? stops.find((seq) => seq > at) ?? log.at(-1)?.seq ?? 0 : stops.findLast((seq) => seq < at) ?? 0;
}

/** @param {readonly WireEvent[]} log */
function turnStarts(log) {
  let turn = "";
  /** @type {number[]} */
  const starts = [];
  for (const event of log) {
    if (event.kind !== "changed" || event.fact.fact !== "clock_set") continue;
    const now = `${event.fact.clock.round} ${event.fact.clock.turn}`;
    if (now !== turn) starts.push(event.seq);
    turn = now;
  }
  return starts;
}
