// The header: phases, turn, who plays, who is here.
/** @import { Seat } from "../net/types" */
/** @import { State } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { html, nothing } from "lit-html";
import { SEATS, hourOf, isSeat, phaseName, seatMark, shownTable } from "./names.js";
import { text } from "./text.js";

/** @param {State} state @param {Acts} acts */
export function header(state, acts) {
  const table = shownTable(state);
  const clock = table?.clock;
  return html`
    <button class="drawer-toggle" aria-label=${text.panels.left} aria-expanded=${state.show["drawer"] === "left"} @click=${() => flip(state, acts, "left")}>${text.showLeft}</button>
    <a class="brand" href="/">Linstock</a>
    <span class="title">${state.opened?.title ?? ""}${state.meta ? ` · ${state.meta.name}` : ""}</span>
    ${clock && state.meta ? html`<ol class="phases" aria-label=${text.phases}>${state.meta.phases.map((phase) =>
      html`<li class=${clock.turn} aria-current=${phase.id === clock.phase && !clock.over ? "step" : nothing}>${phase.name}</li>`)}</ol>` : nothing}
    ${clock ? html`<span class="chip">${clock.over ? text.over : text.turn(clock.round, clock.rounds)}</span>` : nothing}
    ${clock ? endPhase(state, acts) : nothing}
    ${Object.values(state.pending).some((entry) => entry.state === "sent") ? html`<span class="muted small" role="status">${text.busy}</span>` : nothing}
    <div class="people">${SEATS.map((seat) => person(state, seat, clock?.turn === seat && !clock.over))}
      <span class="chip watching">${text.watching(state.crowd.watching)}</span>${latency(state)}</div>
    <button class="drawer-toggle" aria-label=${text.panels.right} aria-expanded=${state.show["drawer"] === "right"} @click=${() => flip(state, acts, "right")}>${text.showRight}</button>`;
}

/** @param {State} state @param {Acts} acts @param {string} name */
const flip = (state, acts, name) => acts.drawer(state.show["drawer"] === name ? null : name);

/** @param {State} state @param {Acts} acts */
function endPhase(state, acts) {
  if (state.cursor !== null || !isSeat(state.role) || Object.keys(state.standing.questions).length) return nothing;
  if (!state.standing.offers.some((offer) => offer.action === "pass")) return nothing;
  const phase = phaseName(state.meta, state.table?.clock.phase ?? "");
  return html`<button title=${text.endPhaseHelp(phase)} @click=${() => acts.act("pass")}>${text.endPhase}</button>`;
}

/** @param {State} state @param {Seat} seat @param {boolean} isTurn */
function person(state, seat, isTurn) {
  const sitting = state.crowd.seats[seat];
  const presence = sitting?.state ?? "empty";
  const since = presence === "gone" && sitting ? ` ${hourOf(sitting.since)}` : "";
  const score = state.table?.scores[seat];
  const words = `${text.presence[presence]}${since}`;
  return html`<span class="person" data-turn=${isTurn} title=${`${text.side[seat]}: ${words}`}>
    <i class="dot" data-state=${presence} role="img" aria-label=${words}></i>${seatMark(seat)}
    <span class="name ${seat}">${sitting?.name || text.side[seat]}${state.role === seat ? ` (${text.you})` : ""}</span>
    ${score ? html`<b>${score}</b>` : nothing}</span>`;
}

/** @param {State} state */
function latency(state) {
  const ms = state.show["latency"];
  return typeof ms === "number" ? html`<span class="chip latency">${text.latency(ms)}</span>` : nothing;
}

/** @param {State} state */
export function connectionBanner(state) {
  if (state.link === "away") return html`<div class="banner away" role="status">${text.away(hourOf(state.awaySince ?? Date.now()))}</div>`;
  if (state.link === "gone") return html`<div class="banner gone" role="alert"><span>${text.gone}</span><a href="/">${text.toLobby}</a></div>`;
  if (state.link === "connecting") return html`<div class="banner" role="status">${state.show["slow"] ? text.connectingLong : text.connecting}</div>`;
  return nothing;
}
