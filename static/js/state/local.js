// What a person changes on the own screen only.
/** @import { State, Store, ToolName, Notice, Sketch } from "./types" */

/** @param {Store} store */
export function localIntents(store) {
  /** @param {Extract<import("./types").Action, {type: "set"}>["patch"]} patch */
  const set = (patch) => store.dispatch({ type: "set", patch });
  return {
    /** @param {readonly string[]} ids */
    select: (ids) => set({ selection: ids }),
    /** @param {string | null} id */
    hover: (id) => store.get().hover === id || set({ hover: id }),
    /** Light things on the table, as a hovered log line does. @param {readonly string[]} ids */
    light: (ids) => set({ lit: ids }),
    /** @param {ToolName} name */
    tool: (name) => set({ tool: name }),
    /** @param {boolean} on */
    free: (on) => set({ free: on }),
    /** @param {number | null} height */
    level: (height) => set({ level: height }),
    /** @param {string} text @param {Notice["kind"]} [kind] @param {string} [rule] */
    notice: (text, kind = "info", rule) => set({ notice: { text, kind, at: Date.now(), ...(rule ? { rule } : {}) } }),
    quiet: () => set({ notice: null }),
    /** @param {string} name */
    tab: (name) => store.dispatch({ type: "show", patch: { tab: name } }),
    /** @param {string | null} name */
    drawer: (name) => store.dispatch({ type: "show", patch: { drawer: name } }),
    /** @param {Record<string, unknown>} patch */
    show: (patch) => store.dispatch({ type: "show", patch }),
    /** Show the table as it was after an event; null goes back to the present. @param {number | null} seq */
    cursor: (seq) => store.dispatch({ type: "cursor", seq }),
    /** @param {Partial<Sketch>} sketch */
    sketch: (sketch) => store.dispatch({ type: "sketch", sketch }),
    /** @param {Partial<State["settings"]>} patch */
    settings: (patch) => store.dispatch({ type: "settings", patch }),
    /** @param {State["forecast"]} forecast */
    forecast: (forecast) => store.dispatch({ type: "forecast", forecast }),
  };
}

/** @typedef {ReturnType<typeof localIntents>} Local */
