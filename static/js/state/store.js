// The one place the page keeps what it knows. Read with get(), change with dispatch(), follow with subscribe().
/** @import { Action, State, Store } from "./types" */
import { reduce } from "./reduce.js";

/** @type {State} */
export const EMPTY = {
  game: "", role: null, link: "connecting", awaySince: null,
  seq: -1, log: [], opened: null, table: null, hash: "",
  cursor: null, shown: null,
  standing: { questions: {}, motion: null, offers: [], undo: null, frozen: null },
  crowd: { seats: {}, watching: 0 }, chat: [], meta: null,
  presence: {}, pending: {},
  selection: [], hover: null, lit: [], tool: "select", free: false, level: null,
  forecast: null, notice: null, show: {},
  sketch: { drag: null, ruler: null, marquee: null, place: null, aim: null, picked: [], line: null },
  animation: { until: -1, playing: false, speed: 1, attached: false },
  replay: { playing: false, speed: 1 },
  settings: { speed: 1, motion: true, grid: false, rings: [], unit: "in" },
};

/**
 * @param {Partial<State>} [initial]
 * @returns {Store}
 */
export function createStore(initial = {}) {
  /** @type {State} */
  let state = { ...EMPTY, ...initial };
  /** @type {Set<(state: State, before: State) => void>} */
  const listeners = new Set();
  return {
    get: () => state,
    dispatch(/** @type {Action} */ action) {
      const before = state;
      state = reduce(before, action);
      if (state !== before) for (const listener of [...listeners]) listener(state, before);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
