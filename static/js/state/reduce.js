// The only writer of the page's state.
/** @import { WireEvent, Opened } from "../net/types" */
/** @import { Action, Hands, State } from "./types" */
import { fold } from "./fold.js";
import { cuts, factsOf, tableOf } from "./log.js";

/** @param {State} state @param {Action} action @returns {State} */
export function reduce(state, action) {
  switch (action.type) {
    case "history":
      return afterHistory(state, action.events, action.hash);
    case "events":
      return afterEvents(state, action);
    case "joined":
      return { ...state, role: action.role, standing: action.standing, crowd: action.crowd, chat: action.chat };
    case "standing":
      return { ...state, standing: action.standing };
    case "crowd":
      return { ...state, crowd: action.crowd };
    case "said":
      return state.chat.some((said) => said.number === action.said.number) ? state : { ...state, chat: [...state.chat, action.said] };
    case "presence":
      return { ...state, presence: afterPointing(state.presence, action.items, action.at) };
    case "link":
      return afterLink(state, action.link, action.at);
    case "pending":
      return { ...state, pending: withPending(state.pending, action.id, action.pending) };
    case "meta":
      return { ...state, meta: action.meta };
    case "game":
      return { ...state, game: action.game, role: action.role ?? state.role };
    case "animation":
      return afterAnimation(state, { ...state.animation, ...action.animation });
    case "cursor":
      return afterCursor(state, action.seq);
    case "sketch":
      return { ...state, sketch: { ...state.sketch, ...action.sketch } };
    case "forecast":
      return { ...state, forecast: action.forecast };
    case "set":
      return { ...state, ...action.patch };
    case "show":
      return { ...state, show: { ...state.show, ...action.patch } };
    case "replay":
      return { ...state, replay: { ...state.replay, ...action.patch } };
    case "settings":
      return { ...state, settings: { ...state.settings, ...action.patch } };
  }
}

/** @param {State} state @param {WireEvent[]} events @param {string} hash @returns {State} */
function afterHistory(state, events, hash) {
  const seq = events.at(-1)?.seq ?? -1;
  const table = tableOf(events);
  const opened = /** @type {Opened | null} */ (events.find((event) => event.kind === "opened") ?? null);
  const animation = { ...state.animation, until: seq, playing: false };
  const next = { ...state, log: events, seq, table, opened, hash, animation };
  return kept({ ...next, shown: state.cursor === null ? table : tableAt(events, state.cursor) });
}

/** @param {State} state @param {Extract<Action, {type: "events"}>} action @returns {State} */
function afterEvents(state, { events, hash, standing, instant }) {
  const fresh = events.filter((event) => event.seq > state.seq);
  if (!fresh.length) return standing ? { ...state, standing } : state;
  if (state.log.length === 0) return { ...afterHistory(state, fresh, hash), standing: standing ?? state.standing };
  const log = [...state.log, ...fresh];
  const seq = log.length ? /** @type {WireEvent} */ (log.at(-1)).seq : -1;
  const table = fresh.some(cuts) || !state.table ? tableOf(log) : fold(state.table, factsOf(fresh));
  const waits = state.animation.attached && !instant;
  const animation = waits ? state.animation : { ...state.animation, until: seq, playing: false };
  const shown = state.cursor !== null || waits ? state.shown : table;
  return kept({ ...state, log, seq, table, hash, standing: standing ?? state.standing, animation, shown });
}

/** The table after event `seq`. @param {readonly WireEvent[]} log @param {number} seq */
export function tableAt(log, seq) {
  const count = log.findIndex((event) => event.seq > seq);
  return tableOf(count < 0 ? log : log.slice(0, count));
}

/** @param {State} state @param {State["animation"]} animation @returns {State} */
function afterAnimation(state, animation) {
  if (animation.until === state.animation.until || state.cursor !== null) return { ...state, animation };
  if (animation.until >= state.seq) return { ...state, animation, shown: state.table };
  const step = state.log.filter((event) => event.seq > state.animation.until && event.seq <= animation.until);
  const next = state.shown && animation.until > state.animation.until && !step.some(cuts);
  const shown = next && state.shown ? fold(state.shown, factsOf(step)) : tableAt(state.log, animation.until);
  return { ...state, animation, shown };
}

/** @param {State} state @param {number | null} seq @returns {State} */
function afterCursor(state, seq) {
  if (seq === state.cursor) return state;
  const animation = { ...state.animation, until: state.seq, playing: false };
  if (seq === null) return { ...state, cursor: null, animation, shown: state.table };
  const cursor = Math.max(0, Math.min(seq, state.seq));
  return { ...state, cursor, animation, shown: shownAt(state, cursor) };
}

/** One step forward folds one step only; anything else starts from the beginning.
 * @param {State} state @param {number} cursor */
function shownAt(state, cursor) {
  const from = state.cursor;
  if (from === null || from > cursor || !state.shown) return tableAt(state.log, cursor);
  const step = state.log.filter((event) => event.seq > from && event.seq <= cursor);
  return step.some(cuts) ? tableAt(state.log, cursor) : fold(state.shown, factsOf(step));
}

/** Nothing that left the table stays selected. @param {State} state @returns {State} */
function kept(state) {
  const models = state.table?.models ?? {};
  if (state.selection.every((id) => id in models)) return state;
  return { ...state, selection: state.selection.filter((id) => id in models) };
}

/** @param {State} state @param {State["link"]} link @param {number} at @returns {State} */
function afterLink(state, link, at) {
  if (link === state.link) return state;
  return { ...state, link, awaySince: link === "live" ? null : (state.awaySince ?? at), presence: link === "live" ? state.presence : {} };
}

/** @param {State["pending"]} pending @param {string} id @param {State["pending"][string] | null} entry */
function withPending(pending, id, entry) {
  const { [id]: _, ...rest } = pending;
  return entry ? { ...rest, [id]: entry } : rest;
}

/** @param {State["presence"]} presence @param {Extract<Action, {type: "presence"}>["items"]} items @param {number} at */
function afterPointing(presence, items, at) {
  const next = { ...presence };
  for (const item of items) next[item.role] = pointed(next[item.role] ?? {}, item, at);
  return next;
}

/** @param {Hands} hands @param {Extract<Action, {type: "presence"}>["items"][number]} item @param {number} at @returns {Hands} */
function pointed(hands, item, at) {
  switch (item.kind) {
    case "drag":
      return item.spots.length ? { ...hands, drag: { spots: item.spots, at } } : without(hands, "drag");
    case "ruler":
      return item.points.length ? { ...hands, ruler: { points: item.points, at } } : without(hands, "ruler");
    case "ping":
      return { ...hands, ping: { x: item.x, y: item.y, at } };
    case "cursor":
      return item.x === null || item.y === null ? without(hands, "cursor") : { ...hands, cursor: { x: item.x, y: item.y, at } };
    case "aim":
      if (item.x === null || item.y === null) return without(hands, "aim");
      return { ...hands, aim: { x: item.x, y: item.y, radius: item.radius, hole: item.hole, at } };
  }
}

/** @param {Hands} hands @param {keyof Hands} key @returns {Hands} */
function without(hands, key) {
  const { [key]: _, ...rest } = hands;
  return rest;
}
