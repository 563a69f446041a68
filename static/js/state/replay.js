// Plays the past: while `replay.playing` the cursor goes on, event by event, until it has caught up.
/** @import { WireEvent } from "../net/types" */
/** @import { Store } from "./types" */

/** Milliseconds that an event is looked at, at 1x. What is not named here is passed over. */
const LOOK = /** @type {Partial<Record<WireEvent["kind"], number>>} */ ({
  rolled: 700, changed: 350, noted: 450, started: 300, asked: 150, answered: 250, rewound: 400, closed: 400,
});

/** @param {Store} store @returns {() => void} how to stop */
export function playReplay(store) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let beat;
  const stop = store.subscribe((state, before) => {
    if (state.replay === before.replay) return;
    clearTimeout(beat);
    if (state.replay.playing) beat = setTimeout(step, 0);
  });

  function step() {
    const { cursor, log, replay, seq } = store.get();
    if (!replay.playing) return;
    const next = log.find((event) => event.seq > (cursor ?? -1) && event.kind in LOOK);
    if (cursor === null || !next) return end(cursor === null ? null : seq);
    store.dispatch({ type: "cursor", seq: Math.min(next.seq, seq) });
    beat = setTimeout(step, (LOOK[next.kind] ?? 0) / replay.speed);
  }

  /** @param {number | null} seq what is looked at from now on: the end, though nothing shows there */
  function end(seq) {
    store.dispatch({ type: "cursor", seq });
    store.dispatch({ type: "replay", patch: { playing: false } });
  }

  return () => {
    clearTimeout(beat);
    stop();
  };
}
