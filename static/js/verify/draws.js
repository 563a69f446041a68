// Twin of FairDraws in server/engine/dice.py: which face draw n shows.
import { hmac } from "./crypto.js";

/** @typedef {number | string} Face */

/** @type {Record<string, Face[]>} */
const DICE = {
  scatter: ["hit", "hit", "arrow", "arrow", "arrow", "arrow"],
  artillery: [2, 4, 6, 8, 10, "misfire"],
  bearing: Array.from({ length: 360 }, (_, degree) => degree),
};

/** The faces of a die by its name; null for one this page does not know. @param {string} die @returns {Face[] | null} */
export function facesOf(die) {
  const sides = /^d(\d{1,4})$/.exec(die)?.[1];
  if (sides) return Array.from({ length: Number(sides) }, (_, place) => place + 1);
  return DICE[die] ?? null;
}

/** @param {string} game @param {Uint8Array} seed @param {[string, string]} mixes */
export async function fairDraws(game, seed, mixes) {
  const sign = await hmac(seed);
  return async (/** @type {number} */ number, /** @type {Face[]} */ faces) => {
    const limit = 65_536 - (65_536 % faces.length);
    for (let block = 0; ; block += 1) {
      const digest = await sign(`v1|${game}|${mixes[0]}|${mixes[1]}|${number}|${block}`);
      for (let at = 0; at < digest.length; at += 2) {
        const word = ((digest[at] ?? 0) << 8) | (digest[at + 1] ?? 0);
        if (word < limit) return /** @type {Face} */ (faces[word % faces.length]);
      }
    }
  };
}
