// Tools: thresholds, the exact limit, bends, cancelling, what is sent.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { hex } from "../../static/js/net/ids.js";
import { sha256 } from "../../static/js/net/sha256.js";
import { localIntents } from "../../static/js/state/local.js";
import { createStore } from "../../static/js/state/store.js";
import { toolFor } from "../../static/js/tools/index.js";
import { Machine } from "../../static/js/tools/machine.js";
import { rulesOf } from "../../static/js/tools/measure.js";
import { bend } from "../../static/js/tools/move.js";

const INCH = 10_000;
const base = { kind: "round", diameter: 2540, height: 1 };
const model = (id, x, y, owner = "south") => ({ id, unit: `u-${owner}`, owner, profile: "p", base, pose: { x, y, facing: 0, z: 0 }, label: id, status: {}, seen_by: null });
const models = { a: model("a", 100_000, 100_000), b: model("b", 120_000, 100_000), foe: model("foe", 100_000, 200_000, "north") };
const opened = { seq: 0, at: 0, kind: "opened", table: {
  width: 720_000, depth: 480_000, clock: { round: 1, rounds: 6, turn: "south", phase: "move", over: false },
  models, removed: {}, units: {}, terrain: {}, templates: {}, markers: {}, scores: {},
} };
const move = { action: "move", label: "Move", rule: "", models: ["a", "b"], barred: [], limits: { a: 6 * INCH, b: 4 * INCH }, reach: {}, manual: false };

/** A hand over a table drawn at one pixel a tenth of an inch. */
function atTable(standing = {}) {
  const store = createStore();
  store.dispatch({ type: "history", events: [opened], hash: "" });
  store.dispatch({ type: "joined", role: "south", standing: { questions: {}, motion: null, offers: [move], undo: null, frozen: null, ...standing }, crowd: { seats: {}, watching: 0 }, chat: [] });
  const sent = [];
  const panned = [];
  const intents = {
    act: async (...what) => { sent.push(what); return { ok: false, error: { code: "rejected", message: "no" } }; },
    answer: async (...what) => { sent.push(what); return { ok: true, seq: 1 }; }, odds: async () => ({ ok: false }), point() {},
  };
  const point = (px, py) => ({ x: px * 1000, y: py * 1000 });
  const sight = {
    point, pan: (dx, dy) => panned.push([dx, dy]), scale: () => 1 / 1000,
    model: (px, py) => Object.values(store.get().shown.models).find(({ pose }) => Math.hypot(pose.x - px * 1000, pose.y - py * 1000) <= 12_000) ?? null,
  };
  const hand = { store, intents, sight, local: localIntents(store), skip: () => false };
  const machine = new Machine(hand, () => toolFor(store.get()));
  const touch = (px, py, more = {}) => ({ px, py, at: point(px, py), alt: false, shift: false, ctrl: false, kind: "mouse", count: 1, ...more });
  return { store, hand, machine, touch, sent, panned };
}

const dragOf = ({ store }) => store.get().sketch.drag;

test("nothing happens before the threshold: a tremble is a click", () => {
  const here = atTable();
  here.machine.press(here.touch(100, 100));
  here.machine.move(here.touch(103, 102));
  assert.equal(dragOf(here), null);
  here.machine.release(here.touch(103, 102));
  assert.deepEqual(here.store.get().selection, ["a"]);
  assert.equal(here.sent.length, 0);
});

test("a finger trembles more than a mouse", () => {
  const here = atTable();
  here.machine.press(here.touch(100, 100, { kind: "touch" }));
  here.machine.move(here.touch(108, 100, { kind: "touch" }));
  assert.equal(dragOf(here), null);
});

test("the model sticks at the exact limit, and not a ten-thousandth beyond", () => {
  const here = atTable();
  here.machine.press(here.touch(100, 100));
  here.machine.move(here.touch(100, 180));
  assert.equal(dragOf(here).used, 6 * INCH);
  here.machine.move(here.touch(163, 177));
  assert.ok(dragOf(here).used <= 6 * INCH && dragOf(here).used >= 6 * INCH - 2);
  assert.equal(dragOf(here).verdict, "ok");
});

test("with Alt it goes on, amber past the move and red past double", () => {
  const here = atTable();
  here.machine.press(here.touch(100, 100));
  here.machine.move(here.touch(100, 170, { alt: true }));
  assert.equal(dragOf(here).verdict, "over");
  here.machine.move(here.touch(100, 230, { alt: true }));
  assert.equal(dragOf(here).verdict, "far");
});

test("a group goes as far as its slowest, and a bend costs its way", () => {
  const here = atTable();
  here.hand.local.select(["a", "b"]);
  here.machine.press(here.touch(100, 100));
  here.machine.move(here.touch(100, 130));
  bend(here.hand);
  here.machine.move(here.touch(200, 130));
  assert.equal(dragOf(here).used, 4 * INCH);
  assert.deepEqual(dragOf(here).held.map(({ pose }) => [pose.x, pose.y]), [[110_000, 130_000], [130_000, 130_000]]);
});

test("a drop sends one move for all with their bends; what is refused goes back", async () => {
  const here = atTable();
  here.machine.press(here.touch(100, 100));
  here.machine.move(here.touch(100, 130));
  bend(here.hand);
  here.machine.move(here.touch(110, 130));
  here.machine.release(here.touch(110, 130));
  const [[action, subject, args]] = here.sent;
  assert.deepEqual([action, subject], ["move", ""]);
  assert.deepEqual(args.moves, [{ model: "a", pose: { x: 110_000, y: 130_000, facing: 0, z: 0 }, via: [{ x: 100_000, y: 130_000 }] }]);
  assert.equal(dragOf(here).state, "sent");
  await new Promise((done) => setTimeout(done, 1));
  assert.equal(dragOf(here), null);
});

test("a second finger, a lost pointer or Escape ends a drag without a move", () => {
  const here = atTable();
  here.machine.press(here.touch(100, 100));
  here.machine.move(here.touch(100, 130));
  here.machine.cancel();
  assert.equal(dragOf(here), null);
  here.machine.move(here.touch(100, 150));
  here.machine.release(here.touch(100, 150));
  assert.equal(here.sent.length, 0);
});

test("a drag on the bare table pans; on a base it never does", () => {
  const here = atTable();
  here.machine.press(here.touch(300, 300));
  here.machine.move(here.touch(340, 300));
  assert.equal(here.panned.length, 1);
  here.machine.release(here.touch(340, 300));
  here.machine.press(here.touch(100, 200));
  here.machine.move(here.touch(140, 200));
  assert.equal(here.panned.length, 1);
  assert.equal(dragOf(here), null, "the other side's model stays");
  assert.match(here.store.get().notice.text, /other side/);
});

test("clashes are named while they are held", () => {
  const here = atTable();
  here.machine.press(here.touch(100, 100));
  here.machine.move(here.touch(115, 100));
  assert.deepEqual(dragOf(here).hits, ["b"]);
});

test("a question puts its own tool into the hand, but not over the ruler", () => {
  const question = { kind: "choose", rule: "X", to: "south", prompt: "", refs: [], seen_by: null, options: [], barred: [], reach: null, preview: null };
  const here = atTable({ questions: { 7: question } });
  assert.equal(toolFor(here.store.get()).name, "pick");
  here.hand.local.tool("measure");
  assert.equal(toolFor(here.store.get()).name, "measure");
});

test("a ruler runs from edge to edge, and from point to point where there is no base", () => {
  const { store } = atTable();
  const end = (id) => ({ at: models[id].pose, model: id });
  const [edge] = rulesOf(store.get(), [end("a"), end("foe")]);
  assert.equal(edge.length, 9 * INCH);
  assert.deepEqual([edge.from.y, edge.to.y], [105_000, 195_000]);
  const [free] = rulesOf(store.get(), [{ at: { x: 0, y: 0 }, model: null }, { at: { x: 30_000, y: 40_000 }, model: null }]);
  assert.equal(free.length, 5 * INCH);
});

test("SHA-256 is the standard's", () => {
  for (const text of ["", "abc", "a".repeat(55), "a".repeat(56), "a".repeat(64), "ü".repeat(300)])
    assert.equal(hex(sha256(new TextEncoder().encode(text))), createHash("sha256").update(text).digest("hex"));
});
