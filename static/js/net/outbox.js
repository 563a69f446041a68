// Commands that have no answer yet. They are kept with their ids, so that one sent again is never done twice.
/** @import { Pending, Store } from "../state/types" */
import { tab } from "./token.js";

/** After a long sleep nobody means what they clicked before it. */
const FORGET_AFTER = 10 * 60_000;

/** @param {Store} store */
export function outbox(store) {
  const key = () => `linstock:sent:${store.get().game}`;
  const waiting = () => Object.values(store.get().pending).filter((entry) => entry.state === "sent");
  const keep = () => tab.set(key(), JSON.stringify(waiting()));
  return {
    waiting,
    /** @param {Pending} entry */
    put(entry) {
      store.dispatch({ type: "pending", id: entry.id, pending: entry });
      keep();
    },
    /** @param {string} id */
    drop(id) {
      store.dispatch({ type: "pending", id, pending: null });
      keep();
    },
    /** What an earlier load of this page left unanswered. */
    recall() {
      for (const entry of remembered(tab.get(key()))) store.dispatch({ type: "pending", id: entry.id, pending: entry });
    },
    /** @param {number} now @returns {Pending[]} what is too old to be sent */
    stale: (now) => waiting().filter((entry) => now - entry.at > FORGET_AFTER),
  };
}

/** @param {string | null} text @returns {Pending[]} */
function remembered(text) {
  try {
    return JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
}

/** @typedef {ReturnType<typeof outbox>} Outbox */
