// Links to the table: inviting the opponent, taking a seat, a new link for the own seat.
/** @import { Role, Seat } from "../net/types" */
/** @import { State } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { html, nothing, svg } from "lit-html";
import { claimSeat, newLink } from "../net/seat.js";
import { device, holdToken, keepLinks, linksOf } from "../net/token.js";
import { keptGame, linkTo, remember } from "./mygames.js";
import { isSeat, personName, rival, seatMark } from "./names.js";
import { copy, submit } from "./parts.js";
import { text } from "./text.js";

/** A seat whose link was opened but not taken yet. @param {State} state */
export const isUnclaimed = (state) => isSeat(state.role) && (state.crowd.seats[state.role]?.state ?? "empty") === "empty" && state.link === "live";

/** @param {State} state @param {Acts} acts */
export function claimPanel(state, acts) {
  if (!isUnclaimed(state) || !isSeat(state.role)) return nothing;
  const seat = state.role;
  const host = state.crowd.seats[rival(seat)]?.name;
  return html`<section class="card claim" aria-labelledby="claim-title"><form class="stack" @submit=${submit((form) => claim(state, acts, seat, form))}>
    <h1 id="claim-title">${host ? text.claim.title(host) : text.claim.nobody}</h1>
    <p>${state.opened?.title}${state.meta ? ` · ${state.meta.name}` : ""}</p>
    <p class=${seat}>${seatMark(seat)} ${text.claim.seat(text.side[seat])}</p>
    <label><span>${text.claim.name}</span><input name="name" required maxlength="40" autocomplete="nickname" value=${device.get("linstock:name") ?? ""}></label>
    <button class="primary">${text.claim.take}</button><p class="muted small">${text.claim.just}</p></form></section>`;
}

/** @param {State} state @param {Acts} acts @param {Seat} seat @param {HTMLFormElement} form */
async function claim(state, acts, seat, form) {
  const name = String(new FormData(form).get("name") ?? "").trim();
  const token = linksOf(state.game)[seat];
  if (!name || !token) return;
  device.set("linstock:name", name);
  await tried(acts, () => claimSeat({ game: state.game, token, seat, name }));
}

/** @template T @param {Acts} acts @param {() => Promise<T>} act @returns {Promise<T | null>} */
async function tried(acts, act) {
  try {
    return await act();
  } catch (error) {
    acts.notice(error instanceof Error ? error.message : String(error), "bad");
    return null;
  }
}

/** While the other seat is empty. @param {State} state @param {Acts} acts */
export function inviteBanner(state, acts) {
  if (!isSeat(state.role) || isUnclaimed(state) || state.link !== "live" || state.show["invited"]) return nothing;
  const other = rival(state.role);
  if ((state.crowd.seats[other]?.state ?? "empty") !== "empty") return nothing;
  const links = linksOf(state.game);
  const seatLink = links[other];
  const watch = links.watch;
  return html`<div class="banner" role="region" aria-label=${text.invite.title}>
    <span><b>${text.invite.title}.</b> ${text.invite.waits(text.side[other])}</span>
    ${seatLink ? html`<button class="primary" @click=${() => copied(acts, linkTo(state.game, seatLink))}>${text.invite.copySeat}</button>`
      : html`<span class="muted">${text.invite.noLink}</span>`}
    ${seatLink ? html`<button @click=${() => acts.show({ dialog: "links" })}>QR</button>` : nothing}
    ${watch ? html`<button class="roomy" @click=${() => copied(acts, linkTo(state.game, watch))}>${text.invite.copyWatch}</button>` : nothing}
    ${seatLink ? html`<button @click=${() => playBoth(state, acts, other, seatLink)}>${text.invite.both}</button>` : nothing}
    <button class="quiet end icon" aria-label=${text.close} @click=${() => acts.show({ invited: true })}>✕</button></div>`;
}

/** @param {Acts} acts @param {string} link */
function copied(acts, link) {
  copy(link);
  acts.notice(text.copied);
}

/** @param {State} state @param {Acts} acts @param {Seat} seat @param {string} token */
async function playBoth(state, acts, seat, token) {
  const name = isSeat(state.role) ? personName(state.crowd, state.role) : text.side[seat];
  const done = await tried(acts, () => claimSeat({ game: state.game, token, seat, name }));
  if (done) remember(state.game, { hotseat: true });
}

/** At one screen: the seat to sit in now, where it is another than the present one and nothing sent from here waits for its answer. @param {State} state @returns {string | null} */
export function nextSeat(state) {
  if (!isSeat(state.role) || state.link !== "live" || state.cursor !== null || !keptGame(state.game)?.hotseat) return null;
  if (Object.values(state.pending).some((entry) => entry.state === "sent")) return null;
  const proposed = state.standing.motion;
  const asked = Object.values(state.standing.questions)[0]?.to;
  const event = proposed === null ? undefined : state.log.find((one) => one.seq === proposed);
  const voter = event?.kind === "proposed" ? rival(event.by) : undefined;
  const wanted = voter ?? asked ?? state.table?.clock.turn;
  return wanted && wanted !== state.role ? linksOf(state.game)[wanted] ?? null : null;
}

/** @param {State} state @param {Acts} acts @param {string} token */
export function sitAs(state, acts, token) {
  if (acts.sitAs) return acts.sitAs(token);
  holdToken(state.game, token);
  location.reload();
}

/** A QR code, drawn from rows of 0 and 1. @param {readonly string[]} rows */
export function qrCode(rows) {
  const path = rows.flatMap((row, y) => [...row].flatMap((dot, x) => (dot === "1" ? `M${x} ${y}h1v1h-1z` : []))).join("");
  return html`<svg class="qr" viewBox="0 0 ${rows.length} ${rows.length}" role="img" aria-label=${text.invite.qr} shape-rendering="crispEdges">${svg`<path d=${path}></path>`}</svg>`;
}

/** All links this device holds. @param {State} state @param {Acts} acts */
export function linksDialog(state, acts) {
  const links = linksOf(state.game);
  const other = isSeat(state.role) ? rival(state.role) : null;
  const code = other ? keptGame(state.game)?.codes?.[other] : undefined;
  return html`<h2>${text.invite.links}</h2>
    ${/** @type {Role[]} */ (["south", "north", "watch"]).map((role) => linkRow(state, acts, role, links[role]))}
    ${code && other ? html`<div class="row">${qrCode(code)}<p>${text.invite.qr}: <b class=${other}>${text.side[other]}</b></p></div>` : nothing}
    <p class="muted small">${text.invite.secret}</p>
    ${isSeat(state.role) ? html`<div class="stack"><button @click=${() => replaceLink(state, acts)}>${text.invite.newLink}</button><p class="muted small">${text.invite.newLinkHelp}</p></div>` : nothing}`;
}

/** @param {State} state @param {Acts} acts @param {Role} role @param {string | undefined} token */
function linkRow(state, acts, role, token) {
  if (!token) return nothing;
  const link = linkTo(state.game, token);
  return html`<label><span>${isSeat(role) ? `${text.invite.seat}: ${text.side[role]}` : text.invite.watch}</span>
    <span class="row"><input class="grow" readonly value=${link} @focus=${(/** @type {FocusEvent} */ event) => /** @type {HTMLInputElement} */ (event.target).select()}>
    <button @click=${() => copied(acts, link)}>${text.copy}</button></span></label>`;
}

/** @param {State} state @param {Acts} acts */
async function replaceLink(state, acts) {
  if (!isSeat(state.role)) return;
  const role = state.role;
  const token = linksOf(state.game)[role];
  if (!token) return;
  const fresh = await tried(acts, () => newLink({ game: state.game, token }));
  if (!fresh) return;
  keepLinks(state.game, { [role]: fresh });
  acts.notice(text.invite.made);
  sitAs(state, acts, fresh);
}
