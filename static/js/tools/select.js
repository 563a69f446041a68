// The tool in the hand by default: click to select, drag what lies under the pointer, drag the table to pan.
/** @import { Tool, Hand, Touch } from "./machine.js" */
import { modelsBetween } from "../state/between.js";
import { members, seatOf } from "../state/select.js";
import * as move from "./move.js";
import * as turn from "./turn.js";

/** @type {"move" | "turn" | "marquee" | null} */
let doing = null;

/** @type {Tool} */
export const select = {
  name: "select",
  press(hand, touch) {
    doing = null;
    if (turn.onHandle(hand.store.get(), touch.at, hand.sight.scale())) doing = "turn";
    else if (under(hand, touch)) doing = "move";
    else if (touch.shift || touch.ctrl) doing = "marquee";
    return doing !== null;
  },
  start(hand, touch, from) {
    if (doing === "turn") return void (turn.start(hand) || (doing = null));
    if (doing === "marquee") return;
    const model = under(hand, from);
    if (!model) return;
    const { selection } = hand.store.get();
    const ids = selection.includes(model.id) ? [model.id, ...selection.filter((id) => id !== model.id)] : [model.id];
    if (!selection.includes(model.id)) hand.local.select(ids);
    hand.local.hover(null);
    if (!move.take(hand, ids, from.at)) doing = null;
  },
  drag(hand, touch, from) {
    if (doing === "move") move.carry(hand, touch.at, touch.alt);
    else if (doing === "turn") turn.drag(hand, touch.at, touch.shift);
    else if (doing === "marquee") hand.local.sketch({ marquee: { from: from.at, to: touch.at } });
  },
  drop(hand, touch, from) {
    if (doing === "marquee") boxed(hand, touch, from);
    else if (doing) move.drop(hand);
    doing = null;
  },
  click(hand, touch) {
    if (move.holding(hand)) return move.drop(hand), undefined;
    const model = under(hand, touch);
    const { selection } = hand.store.get();
    if (!model && (touch.alt || touch.count > 1)) return ping(hand, touch);
    if (!model) return touch.shift ? undefined : hand.local.select([]);
    if (touch.count > 1) return hand.local.select(members(hand.store.get(), model.unit).map((one) => one.id));
    if (!touch.shift && !touch.ctrl) return hand.local.select([model.id]);
    hand.local.select(selection.includes(model.id) ? selection.filter((id) => id !== model.id) : [...selection, model.id]);
  },
  hover(hand, touch) {
    hand.local.hover(touch ? (hand.sight.model(touch.px, touch.py)?.id ?? null) : null);
  },
  aside(hand) {
    if (doing !== "move") return false;
    move.bend(hand);
    return true;
  },
  key(hand, event) {
    if (event.key === "Escape" && move.holding(hand)) return move.cancel(hand), true;
    if (event.key === "Escape" && hand.store.get().selection.length) return hand.local.select([]), true;
    if (event.key === "u" && !event.ctrlKey) return wholeUnits(hand), true;
    return move.keys(hand, event);
  },
  cancel(hand) {
    doing = null;
    hand.local.sketch({ marquee: null });
    move.cancel(hand);
  },
  exit(hand) {
    move.cancel(hand);
    hand.local.sketch({ marquee: null });
  },
};

/** @param {Hand} hand @param {Touch} touch */
const under = (hand, touch) => hand.sight.model(touch.px, touch.py, touch.kind === "touch" ? 18 : 12);

/** Look here: a double click on the bare table. @param {Hand} hand @param {Touch} touch */
function ping({ store, intents }, { at }) {
  const { role } = store.get();
  if (role !== "south" && role !== "north") return;
  intents.point("ping", at);
  store.dispatch({ type: "presence", items: [{ role, kind: "ping", ...at }], at: performance.now() });
}

/** Own models only, if there are any: nobody wants to order the other side about. @param {Hand} hand @param {Touch} touch @param {Touch} from */
function boxed(hand, touch, from) {
  const state = hand.store.get();
  const found = state.shown ? modelsBetween(state.shown, from.at, touch.at) : [];
  const own = found.filter((model) => model.owner === seatOf(state));
  const ids = (own.length ? own : found).map((model) => model.id);
  hand.local.sketch({ marquee: null });
  hand.local.select(touch.ctrl ? [...new Set([...state.selection, ...ids])] : ids);
}

/** @param {Hand} hand */
function wholeUnits(hand) {
  const state = hand.store.get();
  const units = new Set(state.selection.map((id) => state.shown?.models[id]?.unit));
  hand.local.select(Object.values(state.shown?.models ?? {}).filter((model) => units.has(model.unit)).map((model) => model.id));
}
