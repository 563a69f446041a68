// Written by server/wire/types.py from the schemas of the server: do not edit. Run `python -m server.wire.types`.

export type Length = number;
export type Size = number;
export type Bearing = number;
export type Seat = "south" | "north";
export type Role = "south" | "north" | "watch";
export type Status = number | string | boolean;

/** Where an event stands in the log, and when it came about. */
export interface Placed {
  seq: number;
  at: number;
}

/** An event that this viewer may not see. */
export interface Hidden extends Placed {
  kind: "hidden";
}

/** A spot on the table; x grows to the east, y to the north (CM-01). */
export interface Point {
  x: Length;
  y: Length;
}

/** Where a base stands and which way it faces; z is the floor it stands on (CM-05). */
export interface Pose {
  x: Length;
  y: Length;
  facing: Bearing;
  z: Length;
}

/** A circle of this diameter; `height` is that of the body on it (CM-05). */
export interface Round {
  kind: "round";
  diameter: Size;
  height: Length;
}

/** An ellipse: `width` across the front, `length` along the facing (CM-06). */
export interface Oval {
  kind: "oval";
  width: Size;
  length: Size;
  height: Length;
}

/** A rectangle: `width` across the front, `length` along the facing (CM-06). */
export interface Rectangle {
  kind: "rectangle";
  width: Size;
  length: Size;
  height: Length;
}

/** A hull: corners as (right, front) of the centre while it faces north; its sides may not cross (CM-06). */
export interface Polygon {
  kind: "polygon";
  corners: [Size, Size][];
  height: Length;
}

/** One model on its base. `seen_by` names the seats that may know of it; None means everybody. */
export interface Model {
  id: string;
  unit: string;
  owner: Seat;
  profile: string;
  base: Base;
  pose: Pose;
  label: string;
  status: Record<string, number | string | boolean>;
  seen_by: Seat[] | null;
}

/** Models that act as one. What concerns all of them (fleeing, engaged, ranked) is status of the unit. */
export interface Unit {
  id: string;
  owner: Seat;
  label: string;
  status: Record<string, number | string | boolean>;
  seen_by: Seat[] | null;
}

/** A piece of terrain: a shape that rises from `pose.z` to its top. */
export interface Terrain {
  id: string;
  kind: string;
  shape: Base;
  pose: Pose;
  label: string;
  blocks: boolean;
  soft: boolean;
  solid: boolean;
  building: boolean;
  floors: Length[];
}

/** A round template lying on the table; `radius` and `hole` (its radius) are Lengths. */
export interface Template {
  id: string;
  centre: Point;
  radius: Length;
  hole: Length;
  label: string;
}

/** Something a player put on the table that no rule reads: a flag, a pinned ruler, a drawn line, a note. */
export interface Marker {
  id: string;
  by: Seat;
  kind: "flag" | "ruler" | "line" | "note";
  points: Point[];
  text: string;
}

/** Whose turn of which round it is, and in what phase. `over` is set once the last round is played; `first` is */
export interface Clock {
  round: number;
  rounds: number;
  turn: Seat;
  phase: string;
  over: boolean;
  first: Seat;
}

/** Everything on the table. `removed` keeps what was taken off, so that it can be returned. */
export interface Table {
  width: Length;
  depth: Length;
  clock: Clock;
  models: Record<string, Model>;
  removed: Record<string, Model>;
  units: Record<string, Unit>;
  terrain: Record<string, Terrain>;
  templates: Record<string, Template>;
  markers: Record<string, Marker>;
  scores: Record<string, number>;
}

/** One model's move: where it ends, and the bends of its path in between. */
export interface Moved {
  model: string;
  pose: Pose;
  via: Point[];
}

/** Models come onto the table, or come back after they were removed. */
export interface ModelsPlaced {
  fact: "models_placed";
  models: Model[];
}

/** Models stand somewhere else, or face another way. */
export interface ModelsMoved {
  fact: "models_moved";
  moves: Moved[];
}

/** Models leave the table; the table remembers them under `removed`. */
export interface ModelsRemoved {
  fact: "models_removed";
  models: string[];
}

/** A status of a model changes; None takes it away. */
export interface StatusSet {
  fact: "status_set";
  model: string;
  key: string;
  value: number | string | boolean | null;
}

/** The same status of several models changes, for each to its own value; None takes it away. */
export interface StatusesSet {
  fact: "statuses_set";
  key: string;
  values: Record<string, number | string | boolean | null>;
}

/** A unit comes into being or is changed as a whole. */
export interface UnitSet {
  fact: "unit_set";
  unit: Unit;
}

/** A status of a unit changes; None takes it away. */
export interface UnitStatusSet {
  fact: "unit_status_set";
  unit: string;
  key: string;
  value: number | string | boolean | null;
}

/** A piece of terrain is put down or changed; None takes it away. */
export interface TerrainSet {
  fact: "terrain_set";
  id: string;
  terrain: Terrain | null;
}

/** A template lies on the table, or slides to a new place. */
export interface TemplateLaid {
  fact: "template_laid";
  template: Template;
}

/** A template is taken off the table. */
export interface TemplateLifted {
  fact: "template_lifted";
  id: string;
}

/** A marker is put down or changed; None takes it away. */
export interface MarkerSet {
  fact: "marker_set";
  id: string;
  marker: Marker | null;
}

/** The clock moves on (or back). */
export interface ClockSet {
  fact: "clock_set";
  clock: Clock;
}

/** A side's score changes. */
export interface ScoreSet {
  fact: "score_set";
  seat: Seat;
  score: number;
}

/** One lawful choice: what it is called, what it would cause, and the things on the table it lights up. */
export interface Option {
  id: string;
  label: string;
  note: string;
  refs: string[];
}

/** Something that may not be chosen, and why: the page dims it and says so on hover. */
export interface Barred {
  id: string;
  rule: string;
  why: string;
}

/** A range band and arc to draw: from `origin`, between `least` and `most`, `arc` wide about `facing`. */
export interface Reach {
  origin: Point;
  least: Length;
  most: Length;
  facing: Bearing;
  arc: Bearing;
}

/** A round template in the hand: its radius and the radius of its central hole. */
export interface Disc {
  radius: Length;
  hole: Length;
}

/** Where a point may be placed: inside this outline (a ring of corners). */
export interface Region {
  outline: Point[];
}

/** Yes or no. On a timeout `otherwise` is taken: no before the first die of a shot, yes after it (CM-41). */
export interface Confirm {
  kind: "confirm";
  rule: string;
  to: Seat;
  prompt: string;
  refs: string[];
  seen_by: Seat[] | null;
  yes: string;
  no: string;
  otherwise: boolean;
  shows: Template | null;
}

/** One of the options. `barred` says of others why not; `reach` is drawn while choosing. */
export interface Choose {
  kind: "choose";
  rule: string;
  to: Seat;
  prompt: string;
  refs: string[];
  seen_by: Seat[] | null;
  options: Option[];
  barred: Barred[];
  reach: Reach | null;
  preview: Disc | null;
}

/** Between `least` and `most` of the options, each once. */
export interface ChooseSome {
  kind: "choosesome";
  rule: string;
  to: Seat;
  prompt: string;
  refs: string[];
  seen_by: Seat[] | null;
  options: Option[];
  least: number;
  most: number;
}

/** A point on the table inside `region`, for a template `shape` or for nothing but the point. */
export interface Place {
  kind: "place";
  rule: string;
  to: Seat;
  prompt: string;
  refs: string[];
  seen_by: Seat[] | null;
  region: Region;
  suggested: Point;
  shape: Disc | null;
  reach: Reach | null;
}

/** A direction from `origin`, at most half of `arc` away from its facing. */
export interface Aim {
  kind: "aim";
  rule: string;
  to: Seat;
  prompt: string;
  refs: string[];
  seen_by: Seat[] | null;
  origin: Pose;
  arc: Bearing;
  length: Length;
}

/** Share `total` among the options, none above its cap. */
export interface Allocate {
  kind: "allocate";
  rule: string;
  to: Seat;
  prompt: string;
  refs: string[];
  seen_by: Seat[] | null;
  options: Option[];
  total: number;
  caps: Record<string, number>;
}

/** A whole number between `least` and `most`, in `unit`. */
export interface Guess {
  kind: "guess";
  rule: string;
  to: Seat;
  prompt: string;
  refs: string[];
  seen_by: Seat[] | null;
  least: number;
  most: number;
  unit: string;
}

/** A number that changes another, and the reason that players may argue with. */
export interface Modifier {
  amount: number;
  reason: string;
}

/** Go back to just before event `to`. */
export interface Undo {
  motion: "undo";
  to: number;
}

/** Answer the pending question with its default. */
export interface ResolveNow {
  motion: "resolve";
}

/** Close the game and reveal the seed of its dice. */
export interface EndGame {
  motion: "end";
}

/** Play on with another house option; only between actions. */
export interface SetOption {
  motion: "option";
  key: string;
  value: number | string | boolean;
}

/** The game begins: system, house options, the profiles in use and the table as it is laid out. */
export interface Opened extends Placed {
  kind: "opened";
  game: string;
  system: string;
  version: string;
  title: string;
  options: Record<string, unknown>;
  profiles: Record<string, unknown>;
  table: Table;
  commitment: string;
}

/** A seat is taken (or taken over by a new link); `mix` is the hash of what the seat mixes into the dice. */
export interface Seated extends Placed {
  kind: "seated";
  seat: Seat;
  mix: string;
}

/** A seat reveals its mix. From the first roll on, what is revealed (or else its hash) stays. */
export interface Mixed extends Placed {
  kind: "mixed";
  seat: Seat;
  mix: string;
}

/** A procedure begins. `manual` marks free play, which no rule has judged. */
export interface Started extends Placed {
  kind: "started";
  action: string;
  by: Seat;
  rules: string;
  subject: string;
  args: unknown;
  manual: boolean;
}

/** Dice showed `faces`. `number` is the first one's number in this game; they are counted without gaps (I7). */
export interface Rolled extends Placed {
  kind: "rolled";
  number: number;
  die: string;
  faces: (number | string)[];
  rule: string;
  purpose: string;
  refs: string[];
}

/** A seat was asked. The number of this event is the question's id. */
export interface Asked extends Placed {
  kind: "asked";
  question: AnyQuestion;
  sealed: boolean;
}

/** A seat answered, or its time ran out (`timeout`). While sealed only the answering seat may read `value`. */
export interface Answered extends Placed {
  kind: "answered";
  question: number;
  value: unknown;
  by: Seat;
  timeout: boolean;
  sealed: boolean;
}

/** Sealed answers are shown, in the order of their questions. */
export interface Unsealed extends Placed {
  kind: "unsealed";
  questions: number[];
  values: unknown[];
}

/** What geometry found, kept as data (CM-35). */
export interface Judged extends Placed {
  kind: "judged";
  rule: string;
  subject: string;
  finding: unknown;
}

/** A fact became so. */
export interface Changed extends Placed {
  kind: "changed";
  fact: Fact;
}

/** The umpire says something. */
export interface Noted extends Placed {
  kind: "noted";
  rule: string;
  text: string;
  refs: string[];
  outcome: string;
  modifiers: Modifier[];
}

/** The open procedure is done. */
export interface Finished extends Placed {
  kind: "finished";
}

/** The open procedure broke. The table is as it was before `to`; `ref` finds the trace in the server's log (I10). */
export interface Failed extends Placed {
  kind: "failed";
  ref: string;
  to: number;
}

/** A procedure that no longer fits its recorded replies was closed; what it had done so far stands. */
export interface Abandoned extends Placed {
  kind: "abandoned";
}

/** A seat proposes something that needs the other's consent. */
export interface Proposed extends Placed {
  kind: "proposed";
  motion: Motion;
  by: Seat;
}

/** The other seat agrees or declines; a no by the proposer withdraws the motion. */
export interface Voted extends Placed {
  kind: "voted";
  by: Seat;
  yes: boolean;
}

/** The game stands where it stood just before event `to`. What lies between stays in the log, struck through. */
export interface Rewound extends Placed {
  kind: "rewound";
  to: number;
  by: Seat;
}

/** A house option changed by consent. */
export interface OptionSet extends Placed {
  kind: "optionset";
  key: string;
  value: number | string | boolean;
}

/** The game is over; `seed` (hexadecimal) lets anybody check every die. */
export interface Closed extends Placed {
  kind: "closed";
  seed: string;
  reason: string;
}

/** An action that a seat may start now: with which models, with which not and why. */
export interface Offer {
  action: string;
  label: string;
  rule: string;
  models: string[];
  barred: Barred[];
  limits: Record<string, Length>;
  reach: Record<string, Reach>;
  manual: boolean;
}

/** A phase of a turn. In one that `moves`, the active side may move models under the rules. */
export interface Phase {
  id: string;
  name: string;
  moves: boolean;
}

/** A status that models or units of a system can have, and how the page shows it. */
export interface StatusKind {
  key: string;
  label: string;
  of: "model" | "unit";
  type: "flag" | "number" | "text";
  shown: "badge" | "pips" | "hidden";
  manual: boolean;
}

/** One setting as the lobby shows it. */
export interface Choice {
  key: string;
  help: string;
  default: number | string | boolean;
  values: (number | string | boolean)[];
  least: number | null;
  most: number | null;
}

export type Landing = [x: Length, y: Length, share: number];

/** Something that may come about, as players call it, and its chance. */
export interface Outcome {
  label: string;
  chance: number;
}

/** Something that may come about, as players call it, and its chance. */
export interface Outcome {
  label: string;
  chance: number;
}

/** What would come of an action. Chances in ten-thousandths, `expected` numbers in thousandths. */
export interface Forecast {
  trials: number;
  hits: Record<string, number>;
  lost: Record<string, number>;
  outcomes: Outcome[];
  landings: Landing[];
  expected: { hits: number; lost: number; own_hits: number };
  asks: AnyQuestion | null;
}

/** What is open besides the table: the questions that wait (by the number of their event), the motion, the offers. */
export interface Standing {
  questions: Record<string, AnyQuestion>;
  motion: number | null;
  offers: Offer[];
  undo: number | null;
  frozen: string | null;
}

/** Who sits in a seat: kept beside the log (I13). */
export interface Person {
  name: string;
  state: "empty" | "here" | "unsteady" | "gone";
  since: number;
}

/** Who is here. */
export interface Crowd {
  seats: Record<string, Person>;
  watching: number;
}

/** A line of chat. */
export interface Said {
  number: number;
  at: number;
  role: Role;
  name: string;
  text: string;
}

/** Why not: a code for the page, a sentence for the player, the rule that forbids it. */
export interface Problem {
  code: "stale" | "busy" | "not_yours" | "rejected" | "unknown" | "rate" | "protocol" | "stuck" | "storage" | "restarting";
  message: string;
  rule?: string;
  seq?: number;
}

/** A refusal. Nothing changed. */
export interface No {
  error: Problem;
  ok: false;
}

/** It is done and on disk; `seq` is the game's last event. */
export interface Done {
  seq: number;
  ok: true;
}

/** The answer to `odds`. */
export interface Foretold {
  forecast: Forecast;
  ok: true;
}

/** The answer to `join`. Without `events` the page fetches the whole history from `history` first. */
export interface Joined {
  role: Role;
  seq: number;
  hash: string;
  standing: Standing;
  crowd: Crowd;
  chat: Said[];
  events: WireEvent[] | null;
  history: string | null;
  ok: true;
}

/** A place and a facing in a drag. */
export interface Spot {
  model: string;
  x: Length;
  y: Length;
  facing: Bearing;
}

/** Where somebody's pointer is; no place when it left the table. */
export interface Cursor {
  kind: "cursor";
  x: Length | null;
  y: Length | null;
}

/** Models in the hand. An empty list lets go of them. */
export interface Drag {
  kind: "drag";
  spots: Spot[];
}

/** A ruler being drawn; no points when it is put away. */
export interface RulerHeld {
  kind: "ruler";
  points: [Length, Length][];
}

/** A template held over the table; no place when it is taken away. */
export interface AimHeld {
  kind: "aim";
  x: Length | null;
  y: Length | null;
  radius: Length;
  hole: Length;
}

/** Look here. */
export interface Ping {
  kind: "ping";
  x: Length;
  y: Length;
}

/** New events, the hash of the table after them, and what is open now. */
export interface Push {
  first: number;
  events: WireEvent[];
  hash: string;
  standing: Standing;
}

/** The whole log as one viewer may see it. */
export interface History {
  seq: number;
  hash: string;
  events: WireEvent[];
}

/** A scenario as the lobby shows it. */
export interface ScenarioCard {
  id: string;
  name: string;
  summary: string;
  models: number;
  width: Length;
  depth: Length;
}

/** A rule system as lobby and page know it. */
export interface SystemCard {
  id: string;
  name: string;
  summary: string;
  version: string;
  scenarios: ScenarioCard[];
  options: Choice[];
  phases: Phase[];
  actions: Record<string, string>;
  statuses: StatusKind[];
  cards: Record<string, [string, string][]>;
  profiles: string[];
  rules: Record<string, string>;
}

/** The new battle and all its links. `codes` are QR codes of the links: rows of 0 and 1. */
export interface Created {
  game: string;
  seats: Record<string, string>;
  watch: string;
  codes: Record<string, string[]>;
}

/** The seat is theirs. */
export interface Claimed {
  seat: Seat;
}

/** A new link, and its QR code. */
export interface Link {
  token: string;
  code: string[];
}

/** A battle that anybody may watch. */
export interface Shown {
  game: string;
  title: string;
  system: string;
  round: number;
  people: string[];
  watching: number;
  watch: string;
}

export type Base =
  | Round
  | Oval
  | Rectangle
  | Polygon;

export type Fact =
  | ModelsPlaced
  | ModelsMoved
  | ModelsRemoved
  | StatusSet
  | StatusesSet
  | UnitSet
  | UnitStatusSet
  | TerrainSet
  | TemplateLaid
  | TemplateLifted
  | MarkerSet
  | ClockSet
  | ScoreSet;

export type AnyQuestion =
  | Confirm
  | Choose
  | ChooseSome
  | Place
  | Aim
  | Allocate
  | Guess;

export type Motion =
  | Undo
  | ResolveNow
  | EndGame
  | SetOption;

export type WireEvent =
  | Opened
  | Seated
  | Mixed
  | Started
  | Rolled
  | Asked
  | Answered
  | Unsealed
  | Judged
  | Changed
  | Noted
  | Finished
  | Failed
  | Abandoned
  | Proposed
  | Voted
  | Rewound
  | OptionSet
  | Closed
  | Hidden;

export type Pointing =
  | Cursor
  | Drag
  | RulerHeld
  | AimHeld
  | Ping;

/** Take part from event `since` + 1 on; None asks for the whole history. */
export interface Join {
  since?: number | null;
}

/** Start an action. `at` is the last event the sender had seen. */
export interface Do {
  id: string;
  action: string;
  at: number;
  subject?: string;
  args?: unknown;
}

/** Answer the question asked by event `question`. */
export interface Answer {
  id: string;
  question: number;
  value: unknown;
}

/** Propose a motion. */
export interface Propose {
  id: string;
  motion: Motion;
}

/** Agree to or decline the motion proposed by event `motion`. */
export interface Vote {
  id: string;
  motion: number;
  yes: boolean;
}

/** Reveal what this seat mixes into the dice. */
export interface Mix {
  id: string;
  mix: string;
}

/** What would come of an action, or of one option of the pending question. */
export interface Odds {
  action?: string;
  subject?: string;
  question?: number | null;
  option?: unknown;
}

/** Chat. */
export interface Say {
  id: string;
  text: string;
}

/** A battle to begin. */
export interface Order {
  system: string;
  scenario: string;
  name: string;
  mix: string;
  title?: string;
  options?: Record<string, number | string | boolean>;
  side?: Seat;
  hotseat?: boolean;
  armies?: Record<string, unknown[]>;
  profiles?: Record<string, unknown>;
  watchable?: boolean;
}

/** Somebody sits down. */
export interface Claim {
  name: string;
  mix: string;
}
