// Taking a seat, and passing it on.
/** @import { Seat } from "./types" */
import { fetchJson } from "./http.js";
import { keepMix, mixOf, newMix, sealed } from "./token.js";

/** Sit down under a name. What the seat mixes into the dice is drawn here and only its hash is sent.
 * @param {{game: string, base?: string, token: string, seat: Seat, name: string}} who @returns {Promise<{seat: Seat}>} */
export async function claimSeat({ game, base = "", token, seat, name }) {
  const mix = mixOf(game, seat) ?? newMix();
  keepMix(game, seat, mix);
  return fetchJson(`${base}/api/t/${game}/seat`, { token, body: { name, mix: sealed(mix) } });
}

/** A new link to the own seat; the old one is dead from then on.
 * @param {{game: string, base?: string, token: string}} who @returns {Promise<string>} */
export async function newLink({ game, base = "", token }) {
  return (await fetchJson(`${base}/api/t/${game}/link`, { token, body: {} })).token;
}
