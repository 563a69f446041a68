// Lines drawn by hand and flags stuck into the table; everybody sees them.
/** @import { Point } from "../net/types" */
/** @import { Hand, Tool } from "./machine.js" */
import { apart } from "../geometry/units.js";
import { seatOf } from "../state/select.js";

/** No closer than a quarter inch, and no longer than a marker may be. */
const STEP = 2_500;
const MOST = 60;

/** @type {Tool} */
export const draw = {
  name: "draw",
  press: (hand) => seatOf(hand.store.get()) !== null,
  start(hand, touch, from) {
    hand.local.sketch({ line: [from.at] });
  },
  drag(hand, touch) {
    const line = hand.store.get().sketch.line ?? [];
    const last = line.at(-1);
    if (!last || (apart(last, touch.at) >= STEP && line.length < MOST)) hand.local.sketch({ line: [...line, touch.at] });
  },
  drop(hand, touch) {
    const line = [...(hand.store.get().sketch.line ?? []), touch.at];
    hand.local.sketch({ line: null });
    mark(hand, "line", line);
  },
  click(hand, touch) {
    const near = nearMarker(hand, touch.at);
    if (near) hand.intents.act("unmark", "", { id: near });
    else mark(hand, "flag", [touch.at]);
  },
  cancel: (hand) => hand.local.sketch({ line: null }),
  exit: (hand) => hand.local.sketch({ line: null }),
};

/** @param {Hand} hand @param {"line" | "flag"} kind @param {Point[]} points */
function mark(hand, kind, points) {
  const by = seatOf(hand.store.get());
  if (!by) return;
  hand.intents.act("mark", "", { marker: { id: `${kind}-${by}-${Date.now().toString(36)}`, by, kind, points, text: "" } });
}

/** @param {Hand} hand @param {Point} at */
function nearMarker(hand, at) {
  const grip = 12 / hand.sight.scale();
  const markers = Object.values(hand.store.get().shown?.markers ?? {});
  return markers.find((marker) => marker.points.some((point) => apart(point, at) <= grip))?.id ?? null;
}
