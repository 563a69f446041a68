// The links to a game that this device holds. A link is the account: it comes in the fragment, which no server sees.
import { randomHex, hex } from "./ids.js";
import { sha256 } from "./sha256.js";
/** @import { Role, Seat } from "../net/types" */

/** Storage can be forbidden (private windows); the game must go on without.
 * @param {() => Storage} which */
function careful(which) {
  return {
    /** @param {string} key */
    get(key) {
      try { return which().getItem(key); } catch { return null; }
    },
    /** @param {string} key @param {string} value */
    set(key, value) {
      try { which().setItem(key, value); } catch { /* remembered until the page closes only */ }
    },
    /** @param {string} key */
    drop(key) {
      try { which().removeItem(key); } catch { /* nothing was kept */ }
    },
  };
}

export const device = careful(() => localStorage);
export const tab = careful(() => sessionStorage);

/** The token of this tab: from the address, then from this tab's or this device's memory. @param {string} game */
export function takeToken(game) {
  const key = `linstock:token:${game}`;
  const given = location.hash.slice(1);
  const token = /^[A-Za-z0-9_-]{16,64}$/.test(given) ? given : (tab.get(key) ?? device.get(key));
  if (!token) return null;
  holdToken(game, token);
  if (given) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}

/** @param {string} game @param {string} token */
export function holdToken(game, token) {
  tab.set(`linstock:token:${game}`, token);
  device.set(`linstock:token:${game}`, token);
}

/** All links of a game on this device, by what they are for. @param {string} game @returns {Partial<Record<Role, string>>} */
export function linksOf(game) {
  try {
    return JSON.parse(device.get(`linstock:links:${game}`) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} game @param {Partial<Record<Role, string>>} links */
export function keepLinks(game, links) {
  device.set(`linstock:links:${game}`, JSON.stringify({ ...linksOf(game), ...links }));
}

/** What this device mixes into the dice of a seat: drawn once, kept until it is revealed. @param {string} game @param {Seat} seat */
export function mixOf(game, seat) {
  return device.get(`linstock:mix:${game}:${seat}`);
}

/** @param {string} game @param {Seat} seat @param {string} mix */
export const keepMix = (game, seat, mix) => device.set(`linstock:mix:${game}:${seat}`, mix);

export const newMix = () => randomHex(32);

/** What is shown of a mix before both seats have chosen: SHA-256 of its text. @param {string} mix */
export const sealed = (mix) => hex(sha256(new TextEncoder().encode(mix)));
