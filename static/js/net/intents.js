// What a page can ask of the server. The only way to speak to it.
/** @import { Done, Foretold, Motion, No, Pointing } from "./types" */
/** @import { Pending, Store } from "../state/types" */
/** @import { Connection } from "./socket.js" */
import { randomHex } from "./ids.js";

/** How often a hand may be shown to the others. */
const EVERY = 50;

/** @typedef {Done | No} Ack */

/** @param {Store} store @param {Connection} connection */
export function intents(store, connection) {
  /** @param {Pending["event"]} event @param {Record<string, unknown>} payload @returns {Promise<Ack>} */
  const command = (event, payload) => connection.command(event, { id: randomHex(12), ...payload });
  const pointing = throttled((/** @type {Pointing} */ item) => connection.point(item));
  return {
    /** Start an action. @param {string} action @param {string} [subject] @param {unknown} [args] */
    act: (action, subject = "", args = null) => command("do", { action, subject, args, at: Math.max(0, store.get().seq) }),
    /** @param {number | string} question @param {unknown} value */
    answer: (question, value) => command("answer", { question: Number(question), value }),
    /** @param {Motion} motion */
    propose: (motion) => command("propose", { motion }),
    /** @param {number} motion @param {boolean} yes */
    vote: (motion, yes) => command("vote", { motion, yes }),
    /** @param {string} text */
    say: (text) => command("say", { text }),
    /** @param {string} mix */
    mix: (mix) => command("mix", { mix }),
    /** @param {{action: string, subject?: string} | {question: number | string, option: unknown}} what @returns {Promise<Foretold | No>} */
    odds: (what) => connection.ask("odds", "question" in what ? { question: Number(what.question), option: what.option } : what),
    /** @template {Pointing["kind"]} K @param {K} kind @param {Omit<Extract<Pointing, {kind: K}>, "kind">} payload */
    point: (kind, payload) => pointing(/** @type {Pointing} */ (/** @type {unknown} */ ({ kind, ...payload }))),
  };
}

/** The newest of each kind, at most one a beat; the last is never lost. @param {(item: Pointing) => void} send */
function throttled(send) {
  /** @type {Map<string, Pointing>} */
  const waiting = new Map();
  /** @type {ReturnType<typeof setTimeout> | null} */
  let beat = null;
  const flush = () => {
    const next = waiting.entries().next().value;
    if (!next) return void (beat = null);
    waiting.delete(next[0]);
    send(next[1]);
    beat = setTimeout(flush, EVERY);
  };
  return (/** @type {Pointing} */ item) => {
    waiting.set(item.kind, item);
    if (beat === null) flush();
  };
}

/** @typedef {ReturnType<typeof intents>} Intents */
