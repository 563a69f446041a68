// The umpire's book: what each event of the log says, gathered into one entry for each action.
/** @import { AnyQuestion, Fact, Modifier, Moved, Seat, Started, Table, WireEvent } from "../net/types" */
/** @import { Crowd } from "../net/types" */
/** @import { Meta } from "../state/types" */
import { fold } from "../state/fold.js";
import { tableOf } from "../state/log.js";
import { findingText } from "./findings.js";
import { groupName, inches, modelOf, personName, phaseName, spot, statusText, thingName } from "./names.js";
import { text } from "./text.js";

/**
 * @typedef {object} Line
 * @property {number} seq
 * @property {string} text
 * @property {string} [rule]
 * @property {{die: string, faces: (number | string)[]}} [dice]
 * @property {readonly string[]} refs
 * @property {readonly Modifier[]} [modifiers]
 * @property {boolean} [minor]
 * @property {boolean} [manual]
 */
/**
 * @typedef {object} Entry
 * @property {number} seq its first event
 * @property {Seat | null} seat
 * @property {"action" | "single" | "divider"} shape
 * @property {Line[]} lines
 * @property {string} [pending] the core's action that the first fact will tell in words
 */
/** @typedef {{meta: Meta | null, crowd: Crowd, labels: Record<string, string>}} Words */
/** @typedef {{entries: Entry[], count: number, table: Table | null, open: Entry | null, asked: Map<number, AnyQuestion>, words: Words}} Scribe */

/** @param {Words} words @returns {Scribe} */
export const newScribe = (words) => ({ entries: [], count: 0, table: null, open: null, asked: new Map(), words });

/** Go on writing: only what is new in `log` is read. @param {Scribe} scribe @param {readonly WireEvent[]} log */
export function write(scribe, log) {
  for (; scribe.count < log.length; scribe.count += 1) one(scribe, /** @type {WireEvent} */ (log[scribe.count]), log);
  return scribe.entries;
}

/** @param {Scribe} scribe @param {WireEvent} event @param {readonly WireEvent[]} log */
function one(scribe, event, log) {
  if (event.kind === "opened") scribe.table = event.table;
  if (event.kind === "asked") scribe.asked.set(event.seq, event.question);
  if (event.kind === "started") return begin(scribe, event);
  const line = told(scribe, event);
  if (event.kind === "changed" && scribe.table) scribe.table = fold(scribe.table, [event.fact]);
  if (event.kind === "rewound" || event.kind === "failed") scribe.table = tableOf(log.slice(0, scribe.count + 1));
  if (line) put(scribe, event, line);
  if (["finished", "failed", "abandoned", "rewound"].includes(event.kind)) scribe.open = null;
}

/** @param {Scribe} scribe @param {Started} event */
function begin(scribe, event) {
  const who = event.subject ? thingName(scribe.table, event.subject) : text.side[event.by];
  const core = text.action[event.action];
  const label = scribe.words.labels[event.action] ?? event.action.replaceAll("_", " ");
  const line = {
    seq: event.seq, text: core ? `${who} ${core}` : `${who}: ${label}`, refs: event.subject ? [event.subject] : [], manual: event.manual,
  };
  scribe.open = { seq: event.seq, seat: event.by, shape: "action", lines: [line], ...(core ? { pending: event.action } : {}) };
  scribe.entries.push(scribe.open);
}

/** @param {Scribe} scribe @param {WireEvent} event @param {Omit<Line, "seq">} line */
function put(scribe, event, line) {
  if (event.kind === "changed" && event.fact.fact === "clock_set") return divide(scribe, event.seq, line);
  const open = scribe.open;
  const first = open?.lines[0];
  if (open?.pending && first && event.kind === "changed") {
    Object.assign(first, { text: line.text, refs: line.refs });
    delete open.pending;
  } else if (open) open.lines.push({ ...line, seq: event.seq });
  else scribe.entries.push({ seq: event.seq, seat: seatOf(event), shape: "single", lines: [{ ...line, seq: event.seq }] });
}

/** The clock moves: a rule across the page, and what follows in the same action stands under it.
 * @param {Scribe} scribe @param {number} seq @param {Omit<Line, "seq">} line */
function divide(scribe, seq, line) {
  const open = scribe.open;
  if (open?.pending === "pass" && open.lines.length === 1) scribe.entries.splice(scribe.entries.indexOf(open), 1);
  scribe.entries.push({ seq, seat: null, shape: "divider", lines: [{ ...line, seq }] });
  if (!open) return;
  scribe.open = { seq: open.seq, seat: open.seat, shape: "action", lines: [] };
  scribe.entries.push(scribe.open);
}

/** @param {WireEvent} event @returns {Seat | null} */
function seatOf(event) {
  if ("by" in event) return event.by;
  return "seat" in event ? event.seat : null;
}

/** @param {Scribe} scribe @param {WireEvent} event @returns {Omit<Line, "seq"> | null} */
function told({ table, words, asked }, event) {
  const log = text.log;
  const person = (/** @type {Seat} */ seat) => personName(words.crowd, seat);
  switch (event.kind) {
    case "opened":
      return { text: `${log.opened(event.title)} ${log.committed(event.commitment.slice(0, 12))}`, refs: [] };
    case "seated":
      return { text: log.seated(`${person(event.seat)} (${text.side[event.seat]})`), refs: [], minor: true };
    case "mixed":
      return { text: log.mixed(person(event.seat)), refs: [], minor: true };
    case "rolled":
      return { text: event.purpose, dice: { die: event.die, faces: event.faces }, rule: event.rule, refs: event.refs };
    case "asked":
      return { text: log.asked(person(event.question.to), event.question.prompt), rule: event.question.rule, refs: event.question.refs, minor: true };
    case "answered":
      return answered(table, words, event, asked.get(event.question));
    case "unsealed":
      return unsealed(table, words, event, asked);
    case "judged":
      return judged(table, event);
    case "changed":
      return changed(table, words, event.fact);
    case "noted":
      return { text: event.text, rule: event.rule, refs: event.refs, modifiers: event.modifiers };
    case "failed":
      return { text: log.failed(event.ref), refs: [] };
    case "abandoned":
      return { text: log.abandoned, refs: [] };
    case "proposed":
      return { text: log.proposed(person(event.by), log.motions[event.motion.motion]), refs: [] };
    case "voted":
      return { text: log.voted(person(event.by), event.yes), refs: [], minor: true };
    case "rewound":
      return { text: log.rewound(person(event.by), event.seq - event.to), refs: [] };
    case "optionset":
      return { text: log.option(event.key, String(event.value)), refs: [] };
    case "closed":
      return { text: log.closed(event.reason), refs: [] };
    case "hidden":
      return { text: log.hidden, refs: [], minor: true };
    default:
      return null;
  }
}

/** @param {Table | null} table @param {Extract<WireEvent, {kind: "judged"}>} event */
function judged(table, event) {
  const found = findingText(table, event.finding);
  return found ? { text: `${text.log.judged}: ${found}`, rule: event.rule, refs: event.subject ? [event.subject] : [], minor: true } : null;
}

/** @param {Table | null} table @param {Words} words @param {Extract<WireEvent, {kind: "answered"}>} event @param {AnyQuestion | undefined} question */
function answered(table, words, event, question) {
  const who = personName(words.crowd, event.by);
  if (event.sealed) return { text: text.log.sealedAnswer(who), refs: [], minor: true };
  const late = event.timeout ? ` (${text.log.timeout})` : "";
  return { text: text.log.answered(who, answerText(table, question, event.value)) + late, refs: answerRefs(question, event.value) };
}

/** Now all read what was answered under seal. @param {Table | null} table @param {Words} words @param {Extract<WireEvent, {kind: "unsealed"}>} event
 * @param {Scribe["asked"]} asked */
function unsealed(table, words, { questions, values }, asked) {
  const told = questions.map((seq, place) => {
    const question = asked.get(seq);
    return question ? text.log.answered(personName(words.crowd, question.to), answerText(table, question, values[place])) : "";
  });
  return { text: text.log.unsealed(told.filter(Boolean)), refs: [] };
}

/** @param {Table | null} table @param {AnyQuestion | undefined} question @param {unknown} value @returns {string} */
export function answerText(table, question, value) {
  switch (question?.kind) {
    case "confirm":
      return value ? question.yes : question.no;
    case "choose":
      return optionName(question.options, value);
    case "choosesome":
      return (/** @type {string[]} */ (value)).map((id) => optionName(question.options, id)).join(", ") || text.no;
    case "place":
      return spot(/** @type {{x: number, y: number}} */ (value));
    case "aim":
      return `${Number(value) / 100}°`;
    case "allocate":
      return Object.entries(/** @type {Record<string, number>} */ (value)).map(([id, n]) => `${optionName(question.options, id)} ${n}`).join(", ");
    case "guess":
      return `${value} ${question.unit}`;
    default:
      return typeof value === "string" ? thingName(table, value) : JSON.stringify(value);
  }
}

/** @param {{id: string, label: string}[]} options @param {unknown} id */
const optionName = (options, id) => options.find((option) => option.id === id)?.label ?? String(id);

/** @param {AnyQuestion | undefined} question @param {unknown} value */
function answerRefs(question, value) {
  if (question?.kind !== "choose" && question?.kind !== "choosesome") return [];
  const ids = [value].flat();
  return question.options.filter((option) => ids.includes(option.id)).flatMap((option) => option.refs);
}

/** @param {Table | null} table @param {Words} words @param {Fact} fact */
function changed(table, words, fact) {
  const told = factText(table, words, fact);
  return told ? { text: told, refs: factRefs(fact), minor: true } : null;
}

/** Book-keeping that the table does not show is not told either. @param {Meta | null} meta @param {string} key */
const isQuiet = (meta, key) => key === "moved" || meta?.statuses.find((status) => status.key === key)?.shown === "hidden";

/** @param {Table | null} table @param {Words} words @param {Fact} fact @returns {string} */
function factText(table, { meta }, fact) {
  const log = text.log;
  switch (fact.fact) {
    case "models_moved":
      return movedText(table, fact.moves);
    case "models_placed":
      return log.placed(fact.models.length === 1 ? (fact.models[0]?.label || fact.models[0]?.profile || "") : `${fact.models[0]?.label || fact.models[0]?.profile} (${fact.models.length})`);
    case "models_removed":
      return log.removed(groupName(table, fact.models));
    case "status_set":
      return isQuiet(meta, fact.key) ? "" : log.status(thingName(table, fact.model), statusText(meta, fact.key, fact.value ?? false));
    case "unit_status_set":
      return isQuiet(meta, fact.key) ? "" : log.status(thingName(table, fact.unit), statusText(meta, fact.key, fact.value ?? false));
    case "unit_set":
      return log.unit(fact.unit.label || fact.unit.id);
    case "terrain_set":
      return log.terrain(fact.terrain?.label || fact.terrain?.kind || thingName(table, fact.id));
    case "template_laid":
      return log.template(spot(fact.template.centre));
    case "template_lifted":
      return log.templateOff;
    case "marker_set":
      return log.marker(fact.marker ? text.side[fact.marker.by] : text.side.watch) + (fact.marker?.text ? `: ${fact.marker.text}` : "");
    case "score_set":
      return log.score(text.side[fact.seat], fact.score);
    case "clock_set":
      return fact.clock.over ? text.over : log.clock(fact.clock.round, text.side[fact.clock.turn], phaseName(meta, fact.clock.phase));
    default:
      return "";
  }
}

/** @param {Table | null} table @param {readonly Moved[]} moves */
function movedText(table, moves) {
  const name = groupName(table, moves.map((move) => move.model));
  const far = Math.max(0, ...moves.map((move) => walked(table, move)));
  return far >= 50 ? text.log.moved(name, inches(far)) : text.log.turned(name);
}

/** The way a model went, bend by bend. @param {Table | null} table @param {Moved} move */
function walked(table, move) {
  const from = modelOf(table, move.model)?.pose;
  if (!from) return 0;
  const stops = [from, ...move.via, move.pose];
  return stops.slice(1).reduce((sum, stop, place) => sum + Math.hypot(stop.x - (stops[place]?.x ?? 0), stop.y - (stops[place]?.y ?? 0)), 0);
}

/** @param {Fact} fact @returns {string[]} */
function factRefs(fact) {
  switch (fact.fact) {
    case "models_moved":
      return fact.moves.map((move) => move.model);
    case "models_placed":
      return fact.models.map((model) => model.id);
    case "models_removed":
      return fact.models;
    case "status_set":
      return [fact.model];
    default:
      return [];
  }
}

/** "17.3 of 30": what each modifier adds, with its reason. @param {readonly Modifier[]} modifiers */
export const modifierText = (modifiers) => modifiers.map(({ amount, reason }) => `${amount > 0 ? "+" : amount < 0 ? "−" : "±"}${Math.abs(amount)} ${reason}`).join("; ");
