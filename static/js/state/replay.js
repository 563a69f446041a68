// The past on the same table: a cursor that is set, stepped and played.
/** @import { WireEvent } from "../net/types" */
/** @import { Store } from "./types" */

/** Milliseconds that an event is looked at, at 1x. */
const LOOK = { rolled: 700, changed: 350, noted: 450, started: 300, asked: 150, answered: 250 };

/** @param {Store} store */
export function replay(store) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let beat;
  const at = () => store.get().cursor ?? store.get().seq;

  /** @param {number | null} seq */
  function seek(seq) {
    store.dispatch({ type: "cursor", seq });
  }

  /** The next event that shows, forward or back. @param {1 | -1} by */
  function step(by) {
    const { log } = store.get();
    const shown = log.filter((event) => tells(event) && (by > 0 ? event.seq > at() : event.seq < at()));
    const next = by > 0 ? shown[0] : shown.at(-1);
    seek(next ? next.seq : by > 0 ? store.get().seq : 0);
  }

  /** The start of the next or last turn. @param {1 | -1} by */
  function turn(by) {
    const starts = store.get().log.filter((event) => event.kind === "changed" && event.fact.fact === "clock_set");
    const next = by > 0 ? starts.find((event) => event.seq > at()) : starts.findLast((event) => event.seq < at());
    seek(next ? next.seq : by > 0 ? store.get().seq : 0);
  }

  /** @param {number} [speed] */
  function play(speed = store.get().replay.speed) {
    clearTimeout(beat);
    if (at() >= store.get().seq) seek(0);
    store.dispatch({ type: "replay", patch: { playing: true, speed } });
    again();
  }

  function again() {
    const { log, replay: { playing, speed } } = store.get();
    if (!playing) return;
    if (at() >= store.get().seq) return pause();
    step(1);
    const event = log.find((one) => one.seq === at());
    beat = setTimeout(again, look(event) / speed);
  }

  function pause() {
    clearTimeout(beat);
    store.dispatch({ type: "replay", patch: { playing: false } });
  }

  return {
    seek, step, turn, play, pause,
    /** Leave the past. */
    live() {
      pause();
      seek(null);
    },
  };
}

/** Whether an event is worth a step of its own. @param {WireEvent} event */
const tells = (event) => event.kind in LOOK || event.kind === "rewound" || event.kind === "closed";

/** @param {WireEvent | undefined} event */
const look = (event) => (event && event.kind in LOOK ? LOOK[/** @type {keyof typeof LOOK} */ (event.kind)] : 200);

/** @typedef {ReturnType<typeof replay>} Replay */
