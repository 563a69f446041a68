// What the panels say and send, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { baseName, orderedArmy } from "../../static/js/lobby/armies.js";
import { faceWords } from "../../static/js/panels/dice.js";
import { ringsOf } from "../../static/js/panels/dialogs.js";
import { findingText } from "../../static/js/panels/findings.js";
import { optionsNow } from "../../static/js/panels/house.js";
import { asText, entriesOf } from "../../static/js/panels/log.js";
import { answerText, modifierText, newScribe, write } from "../../static/js/panels/loglines.js";
import { eventWords, motionOf } from "../../static/js/panels/motion.js";
import { groupName, percent } from "../../static/js/panels/names.js";
import { lastAction, offersFor } from "../../static/js/panels/offers.js";
import { along, bearingOf } from "../../static/js/panels/parts.js";
import { answerByKey, askedOf, fillFromTop } from "../../static/js/panels/questions.js";
import { stepFrom, turnFrom } from "../../static/js/panels/replay.js";
import { movesBy, statusValue, unitsOf } from "../../static/js/panels/roster.js";
import { EMPTY } from "../../static/js/state/store.js";
import { undone } from "../../static/js/state/log.js";

const pose = { x: 100_000, y: 100_000, facing: 0, z: 0 };
const model = (id, unit, owner) => ({ id, unit, owner, profile: "orc", base: { kind: "round", diameter: 2500, height: 1 }, pose, label: "", status: {}, seen_by: null });
const unit = (id, owner, label) => ({ id, owner, label, status: {}, seen_by: null });
const table = {
  width: 720_000, depth: 480_000, clock: { round: 1, rounds: 6, turn: "south", phase: "shooting", over: false },
  models: { gun: model("gun", "battery", "south"), o1: model("o1", "orcs", "north"), o2: model("o2", "orcs", "north") }, removed: {},
  units: { battery: unit("battery", "south", "Great mortar"), orcs: unit("orcs", "north", "Orc Boyz") },
  terrain: {}, templates: {}, markers: {}, scores: {},
};
const logOf = (...events) => events.map((event, seq) => ({ seq, at: seq, ...event }));
const opened = { kind: "opened", game: "g", system: "s", version: "1", title: "Hill battery", options: { rounds: 6 }, profiles: {}, table, commitment: "abcdef0123456789" };
const started = (action, more = {}) => ({ kind: "started", action, by: "south", rules: "1", subject: "", args: null, manual: false, ...more });
const rolled = (number) => ({ kind: "rolled", number, die: "d6", faces: [4], rule: "ST-47", purpose: "to wound", refs: [] });
const moved = (x) => ({ kind: "changed", fact: { fact: "models_moved", moves: [{ model: "gun", via: [], pose: { ...pose, x } }] } });
const words = { meta: null, crowd: { seats: {}, watching: 0 }, labels: { fire: "Fire" } };
const linesOf = (log) => write(newScribe(words), log).map((entry) => entry.lines.map((line) => line.text));
const stateOf = (log, more = {}) => ({ ...EMPTY, role: "south", log, seq: log.length - 1, table, opened: log[0], ...more });

test("an action is one entry, a line for each fact, with its dice and rule", () => {
  const log = logOf(opened, started("fire", { subject: "gun" }), rolled(0), { kind: "noted", rule: "ST-48", text: "Hit.", refs: ["o1"], outcome: "hit", modifiers: [] }, { kind: "finished" });
  const [, entry] = write(newScribe(words), log);
  assert.deepEqual(entry.lines.map((line) => line.text), ["Great mortar: Fire", "to wound", "Hit."]);
  assert.deepEqual(entry.lines[1].dice.faces, [4]);
  assert.equal(entry.lines[1].rule, "ST-47");
  assert.equal(entry.seat, "south");
});

test("a core move is told once, in inches along its bends", () => {
  const bend = { kind: "changed", fact: { fact: "models_moved", moves: [{ model: "gun", via: [{ x: 100_000, y: 130_000 }], pose: { ...pose, x: 140_000, y: 130_000 } }] } };
  assert.deepEqual(linesOf(logOf(opened, started("move"), bend, { kind: "finished" })).at(-1), ["Great mortar moves 7.00 in"]);
});

test("turning on the spot is no move of 0.00 inches", () => {
  const turn = { kind: "changed", fact: { fact: "models_moved", moves: [{ model: "gun", via: [], pose: { ...pose, facing: 9000 } }] } };
  assert.deepEqual(linesOf(logOf(opened, started("move"), turn, { kind: "finished" })).at(-1), ["Great mortar turns"]);
});

test("the end of a phase is a rule across the page", () => {
  const clock = { kind: "changed", fact: { fact: "clock_set", clock: { ...table.clock, turn: "north" } } };
  const entries = write(newScribe(words), logOf(opened, started("pass"), clock, { kind: "finished" }));
  assert.deepEqual(entries.map((entry) => entry.shape).slice(1, 2), ["divider"]);
  assert.equal(entries[1].lines[0].text, "Turn 1 · North · shooting");
});

test("writing on is the same as writing anew", () => {
  const log = logOf(opened, started("fire", { subject: "gun" }), rolled(0), moved(140_000), { kind: "finished" }, started("move"), moved(170_000), { kind: "finished" });
  const scribe = newScribe(words);
  for (let count = 1; count <= log.length; count += 1) write(scribe, log.slice(0, count));
  assert.deepEqual(scribe.entries, write(newScribe(words), log));
});

test("after going back, moves are measured from where the models stand again", () => {
  const log = logOf(opened, started("move"), moved(140_000), { kind: "finished" }, { kind: "rewound", to: 1, by: "south" }, started("move"), moved(110_000), { kind: "finished" });
  assert.deepEqual(linesOf(log).at(-1), ["Great mortar moves 1.00 in"]);
  assert.deepEqual([...undone(log)], [1, 2, 3]);
  assert.match(asText(write(newScribe(words), log), undone(log)), /\[undone\] Great mortar moves 4\.00 in/);
});

test("manual acts are marked, hidden book-keeping is not told", () => {
  const hidden = { kind: "changed", fact: { fact: "statuses_set", key: "moved", values: { gun: 40_000 } } };
  const [, entry] = write(newScribe(words), logOf(opened, started("free_move", { manual: true }), moved(140_000), hidden, { kind: "finished" }));
  assert.equal(entry.lines.length, 1);
  assert.equal(entry.lines[0].manual, true);
});

test("5,000 lines are written in a blink, and one more costs one more", () => {
  const log = logOf(opened, ...Array.from({ length: 5000 }, (_, n) => (n % 3 === 0 ? started("fire", { subject: "gun" }) : n % 3 === 1 ? rolled(n) : { kind: "finished" })));
  const before = performance.now();
  assert.ok(entriesOf(stateOf(log)).length > 1600);
  assert.ok(performance.now() - before < 2000);
  const again = performance.now();
  entriesOf(stateOf([...log, { seq: 5001, at: 0, ...rolled(9) }]));
  assert.ok(performance.now() - again < 200);
});

test("answers are told in the options' words", () => {
  const options = [{ id: "a", label: "Direct", note: "", refs: [] }, { id: "b", label: "Indirect", note: "", refs: [] }];
  assert.equal(answerText(table, { kind: "choose", options }, "b"), "Indirect");
  assert.equal(answerText(table, { kind: "choosesome", options }, ["a", "b"]), "Direct, Indirect");
  assert.equal(answerText(table, { kind: "confirm", yes: "Fire", no: "Hold" }, false), "Hold");
  assert.equal(answerText(table, { kind: "allocate", options }, { a: 2 }), "Direct 2");
  assert.equal(answerText(table, { kind: "place" }, { x: 15_000, y: 20_000 }), "(1.50, 2.00)");
  assert.equal(answerText(table, { kind: "aim" }, 4550), "45.5°");
  assert.equal(answerText(table, { kind: "guess", unit: "inches" }, 30), "30 inches");
});

test("modifiers carry sign and reason; findings speak in inches and names", () => {
  assert.equal(modifierText([{ amount: -1, reason: "cover" }, { amount: 2, reason: "huge" }]), "−1 cover; +2 huge");
  assert.equal(findingText(table, { touched: ["o1", "o2"], distance: 271_100, hole: [] }), "touched: Orc Boyz (2) · distance 27.11 in");
});

test("only the oldest question to the own seat is asked, and none in a replay", () => {
  const ask = (to) => ({ kind: "confirm", to, rule: "", prompt: "?", refs: [], yes: "Y", no: "N" });
  const standing = { ...EMPTY.standing, questions: { 12: ask("south"), 7: ask("south"), 3: ask("north") } };
  assert.equal(askedOf(stateOf(logOf(opened), { standing }))[0], "7");
  assert.equal(askedOf(stateOf(logOf(opened), { standing, cursor: 0 })), undefined);
  assert.equal(askedOf(stateOf(logOf(opened), { standing, role: "watch" })), undefined);
});

test("keys answer a confirmation and a choice, and nothing else", () => {
  const sent = [];
  const acts = { answer: (...what) => sent.push(what) };
  const asks = (question) => stateOf(logOf(opened), { standing: { ...EMPTY.standing, questions: { 5: { to: "south", ...question } } } });
  assert.equal(answerByKey(asks({ kind: "confirm" }), acts, "y"), true);
  assert.equal(answerByKey(asks({ kind: "choose", options: [{ id: "a" }, { id: "b" }] }), acts, "2"), true);
  assert.equal(answerByKey(asks({ kind: "choose", options: [{ id: "a" }] }), acts, "2"), false);
  assert.equal(answerByKey(asks({ kind: "guess" }), acts, "2"), false);
  assert.deepEqual(sent, [["5", true], ["5", "b"]]);
});

test("shares are filled from the top to the caps, as the server's default does", () => {
  const options = [{ id: "a" }, { id: "b" }, { id: "c" }];
  assert.deepEqual(fillFromTop({ options, caps: { a: 3, b: 3, c: 3 }, total: 5 }), { a: 3, b: 2, c: 0 });
});

test("offers are those of the selected models, and never free play", () => {
  const offer = (action, more) => ({ action, label: action, rule: "", models: ["gun"], barred: [], limits: {}, reach: {}, manual: false, ...more });
  const standing = { ...EMPTY.standing, offers: [offer("fire"), offer("move"), offer("remove", { manual: true }), offer("charge", { models: ["o1"] })] };
  assert.deepEqual(offersFor(stateOf(logOf(opened), { standing }), [{ id: "gun" }]).map((one) => one.action), ["fire"]);
});

test("what an undo goes back to is the last action that still counts", () => {
  const log = logOf(opened, started("fire"), rolled(0), { kind: "finished" }, started("move"), { kind: "finished" });
  assert.equal(lastAction(stateOf(log)), 4);
  assert.equal(lastAction(stateOf([...log, { seq: 6, at: 0, kind: "rewound", to: 4, by: "south" }])), 1);
  assert.equal(lastAction(stateOf(logOf(opened))), null);
});

test("a motion names the event it goes back to", () => {
  const log = logOf(opened, started("fire", { subject: "gun" }), rolled(0), { kind: "finished" }, { kind: "proposed", motion: { motion: "undo", to: 1 }, by: "north" });
  const state = stateOf(log, { standing: { ...EMPTY.standing, motion: 4 } });
  assert.equal(motionOf(state).by, "north");
  assert.match(eventWords(state, 1), /Great mortar: fire.*\(1\)/i);
});

test("house rules are those of the opening and what was agreed since", () => {
  assert.deepEqual(optionsNow(stateOf(logOf(opened, { kind: "optionset", key: "rounds", value: 4 }))), { rounds: 4 });
});

test("the timeline steps over what does not show, and pages by turns", () => {
  const clock = (round, turn) => ({ kind: "changed", fact: { fact: "clock_set", clock: { ...table.clock, round, turn } } });
  const log = logOf(opened, started("fire"), rolled(0), { kind: "finished" }, clock(1, "north"), { kind: "finished" }, clock(2, "south"));
  assert.equal(stepFrom(log, 0, 1), 2);
  assert.equal(stepFrom(log, 4, -1), 2);
  assert.equal(turnFrom(log, 0, 1), 4);
  assert.equal(turnFrom(log, 6, -1), 4);
  assert.equal(turnFrom(log, 4, -1), 0);
});

test("a move by distance and bearing is CM-03's", () => {
  assert.deepEqual(along(6, 135), { x: 42_426, y: -42_426 });
  assert.deepEqual(along(4, 270), { x: -40_000, y: -0 });
  assert.equal(bearingOf(-90), 27_000);
  assert.equal(bearingOf(360), 0);
  const [step] = movesBy([table.models.gun], 2, 90, 45);
  assert.deepEqual(step, { model: "gun", via: [], pose: { ...pose, x: 120_000, y: 100_000, facing: 4500 } });
});

test("what is typed as a status fits its kind", () => {
  assert.deepEqual(["", "yes", "no", "0"].map((typed) => statusValue("flag", typed)), [true, true, null, null]);
  assert.deepEqual(["3", "", "no"].map((typed) => statusValue("number", typed)), [3, null, null]);
  assert.equal(statusValue("text", " hidden in wood "), "hidden in wood");
});

test("units list their models in order; a group is named by units", () => {
  assert.deepEqual(unitsOf(table, "north").map(([one, models]) => [one.label, models.map((each) => each.id)]), [["Orc Boyz", ["o1", "o2"]]]);
  assert.equal(groupName(table, ["o1", "o2", "gun"]), "Orc Boyz (2), Great mortar");
});

test("small words: dice, chances, rings, bases", () => {
  assert.equal(faceWords("bearing", 137), "137° (south-east)");
  assert.equal(faceWords("artillery", "misfire"), "artillery die: misfire");
  assert.deepEqual([0, 40, 2778, 10_000].map(percent), ["0 %", "< 1 %", "28 %", "100 %"]);
  assert.deepEqual(ringsOf("3, 8; x 0 500"), [30_000, 80_000]);
  assert.equal(baseName({ kind: "oval", width: 3500, length: 6000, height: 1 }), "35 × 60 mm oval");
});

test("an army is sent as it was confirmed: left out, counted, on the chosen base, with its own profile", () => {
  const base = { kind: "round", diameter: 2500, height: 1 };
  const wide = { kind: "round", diameter: 4000, height: 1 };
  const listed = (more) => ({ key: "k", name: "Orcs", count: 20, gear: [], notes: "", profile: "orc", suggestions: [], base, bases: [base, wide], asks: [], draft_key: null, draft: null, ...more });
  const army = { title: "Waaagh", models: 22, warnings: [], units: [listed({}), listed({ name: "Left at home" }), listed({ name: "Squig", count: 1, profile: null, draft_key: "custom_squig", draft: { name: "Squig", movement: 60_000, wounds: 1, flies: false, base } })] };
  const data = new FormData();
  for (const [name, value] of Object.entries({ "south-0-in": "on", "south-0-count": "18", "south-0-profile": "orc", "south-0-base": "1", "south-2-in": "on", "south-2-count": "1", "south-2-profile": "", "south-2-base": "0", "south-2-stat-movement": "7.5", "south-2-stat-wounds": "2" })) data.set(name, value);
  const { units, profiles } = orderedArmy("south", army, data);
  assert.deepEqual(units, [{ profile: "orc", label: "Orcs", count: 18, base: wide }, { profile: "custom_squig", label: "Squig", count: 1, base }]);
  assert.deepEqual(profiles, { custom_squig: { name: "Squig", movement: 75_000, wounds: 2, flies: false, base } });
});
