// The page's state: what events make of it, what undo leaves, what the play-out and the past show.
import assert from "node:assert/strict";
import { test } from "node:test";
import { effective, undone } from "../../static/js/state/log.js";
import { createStore } from "../../static/js/state/store.js";

const pose = (x) => ({ x, y: 0, facing: 0, z: 0 });
const model = (id, x) => ({ id, unit: "u", owner: "south", profile: "p", base: { kind: "round", diameter: 2500, height: 1 }, pose: pose(x), label: "", status: {}, seen_by: null });
const table = () => ({
  width: 720_000, depth: 480_000, clock: { round: 1, rounds: 6, turn: "south", phase: "move", over: false },
  models: { a: model("a", 0) }, removed: {}, units: {}, terrain: {}, templates: {}, markers: {}, scores: {},
});
const opened = { seq: 0, at: 0, kind: "opened", table: table() };
const moved = (seq, x) => ({ seq, at: 0, kind: "changed", fact: { fact: "models_moved", moves: [{ model: "a", pose: pose(x), via: [] }] } });
const removed = (seq) => ({ seq, at: 0, kind: "changed", fact: { fact: "models_removed", models: ["a"] } });
const rewound = (seq, to) => ({ seq, at: 0, kind: "rewound", to, by: "south" });
const where = (state) => state.shown.models.a?.pose.x;

function played(...events) {
  const store = createStore();
  store.dispatch({ type: "history", events: [opened], hash: "" });
  for (const event of events) store.dispatch({ type: "events", events: [event], hash: "" });
  return store;
}

test("events in order move the table, and what is known already is passed over", () => {
  const store = played(moved(1, 10), moved(2, 20));
  store.dispatch({ type: "events", events: [moved(1, 99), moved(2, 99)], hash: "" });
  assert.equal(where(store.get()), 20);
  assert.equal(store.get().seq, 2);
});

test("a rewind cuts what came after, but not seats, and strikes it through in the log", () => {
  const seated = { seq: 2, at: 0, kind: "seated", seat: "north", mix: "" };
  const log = [opened, moved(1, 10), seated, moved(3, 20), rewound(4, 1), moved(5, 30)];
  assert.deepEqual(effective(log).map((event) => event.seq), [0, 2, 5]);
  assert.deepEqual([...undone(log)], [1, 3]);
  assert.equal(where(played(...log.slice(1)).get()), 30);
});

test("with a play-out attached the canvas waits, step by step, and a skip catches up", () => {
  const store = played();
  store.dispatch({ type: "animation", animation: { attached: true } });
  store.dispatch({ type: "events", events: [moved(1, 10), moved(2, 20)], hash: "" });
  assert.equal(store.get().table.models.a.pose.x, 20);
  assert.equal(where(store.get()), 0);
  store.dispatch({ type: "animation", animation: { until: 1 } });
  assert.equal(where(store.get()), 10);
  store.dispatch({ type: "animation", animation: { until: 2 } });
  assert.equal(where(store.get()), 20);
});

test("seeking to any event shows what playing to it showed, forward and back", () => {
  const store = played(moved(1, 10), moved(2, 20), rewound(3, 2), moved(4, 40));
  const seen = [0, 10, 20, 10, 40];
  for (const at of [4, 1, 3, 0, 2, 3, 4]) {
    store.dispatch({ type: "cursor", seq: at });
    assert.equal(where(store.get()), seen[at], `event ${at}`);
  }
  store.dispatch({ type: "events", events: [moved(5, 50)], hash: "" });
  assert.equal(where(store.get()), 40, "the past stays while new events arrive");
  store.dispatch({ type: "cursor", seq: null });
  assert.equal(where(store.get()), 50);
});

test("nothing that left the table stays selected", () => {
  const store = played();
  store.dispatch({ type: "set", patch: { selection: ["a"] } });
  store.dispatch({ type: "events", events: [removed(1)], hash: "" });
  assert.deepEqual(store.get().selection, []);
});

test("hands are shown newest first and let go", () => {
  const store = played();
  const spots = [{ model: "a", x: 1, y: 2, facing: 0 }];
  store.dispatch({ type: "presence", items: [{ role: "north", kind: "drag", spots }], at: 1 });
  assert.equal(store.get().presence.north.drag.spots.length, 1);
  store.dispatch({ type: "presence", items: [{ role: "north", kind: "drag", spots: [] }], at: 2 });
  assert.equal(store.get().presence.north.drag, undefined);
});
