// What of a log still counts, and the table it leads to.
/** @import { Fact, Table, WireEvent } from "../net/types" */
import { fold } from "./fold.js";

const BESIDE = new Set(["seated", "mixed", "optionset"]);

/** The events that still count: what was rewound or failed is cut out, with the event that cut it.
 * @param {readonly WireEvent[]} log */
export function effective(log) {
  /** @type {WireEvent[]} */
  let kept = [];
  for (const event of log) {
    if (event.kind === "rewound" || event.kind === "failed") {
      const { to } = event;
      kept = kept.filter((earlier) => earlier.seq < to || BESIDE.has(earlier.kind));
    } else kept.push(event);
  }
  return kept;
}

/** The numbers of events that were undone, for striking them through. @param {readonly WireEvent[]} log */
export function undone(log) {
  const kept = new Set(effective(log).map((event) => event.seq));
  return new Set(log.filter((event) => !kept.has(event.seq) && !cuts(event)).map((event) => event.seq));
}

/** @param {WireEvent} event */
export const cuts = (event) => event.kind === "rewound" || event.kind === "failed";

/** The table after all of `log`; null before it is opened. @param {readonly WireEvent[]} log @returns {Table | null} */
export function tableOf(log) {
  const events = effective(log);
  const opened = events.find((event) => event.kind === "opened");
  return opened ? fold(opened.table, factsOf(events)) : null;
}

/** @param {Iterable<WireEvent>} events @returns {Generator<Fact>} */
export function* factsOf(events) {
  for (const event of events) if (event.kind === "changed") yield event.fact;
}
