// The battles this device has sat at or watched. Only here: the server does not know who we are.
/** @import { Role } from "../net/types" */
import { device, linksOf } from "../net/token.js";

/** @typedef {{game: string, title: string, system: string, at: number, hotseat?: boolean, codes?: Record<string, string[]>}} Kept */

const KEY = "linstock:games";

/** @returns {Record<string, Kept>} */
function all() {
  try {
    return JSON.parse(device.get(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} game @param {Partial<Kept>} more */
export function remember(game, more) {
  const games = all();
  const before = games[game] ?? { game, title: "", system: "", at: 0 };
  games[game] = { ...before, at: Date.now(), ...more };
  device.set(KEY, JSON.stringify(games));
}

/** @param {string} game */
export function forget(game) {
  const { [game]: _, ...rest } = all();
  device.set(KEY, JSON.stringify(rest));
  for (const what of ["links", "token"]) device.drop(`linstock:${what}:${game}`);
}

/** @param {string} game @returns {Kept | undefined} */
export const keptGame = (game) => all()[game];

/** @returns {(Kept & {links: Partial<Record<Role, string>>})[]} newest first */
export const myGames = () => Object.values(all()).map((kept) => ({ ...kept, links: linksOf(kept.game) }))
  .filter((kept) => Object.keys(kept.links).length).sort((a, b) => b.at - a.at);

/** A link to a game. The token is in the fragment, which no server sees. @param {string} game @param {string} token @param {string} [page] */
export const linkTo = (game, token, page = "t") => `${location.origin}/${page}/${game}#${token}`;
