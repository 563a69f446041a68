// Messages of the namespace `/table` (protocol 1), as the page sees them.

export type Length = number;
export type Size = number;
export type Bearing = number;
export type Seat = "south" | "north";
export type Role = "south" | "north" | "watch";
export type Status = number | string | boolean;

export interface Point { x: Length; y: Length }
export interface Pose { x: Length; y: Length; facing: Bearing; z: Length }

export interface Round { kind: "round"; diameter: Size; height: Length }
export interface Oval { kind: "oval"; width: Size; length: Size; height: Length }
export interface Rectangle { kind: "rectangle"; width: Size; length: Size; height: Length }
export interface Polygon { kind: "polygon"; corners: [Size, Size][]; height: Length }
export type Base = Round | Oval | Rectangle | Polygon;

export interface Model {
  id: string; unit: string; owner: Seat; profile: string; base: Base; pose: Pose; label: string;
  status: Record<string, Status>; seen_by: Seat[] | null;
}
export interface Unit { id: string; owner: Seat; label: string; status: Record<string, Status>; seen_by: Seat[] | null }
export interface Terrain {
  id: string; kind: string; shape: Base; pose: Pose; label: string;
  blocks: boolean; soft: boolean; solid: boolean; building: boolean; floors: Length[];
}
export interface Template { id: string; centre: Point; radius: Length; hole: Length; label: string }
export interface Marker { id: string; by: Seat; kind: "flag" | "ruler" | "line" | "note"; points: Point[]; text: string }
export interface Clock { round: number; rounds: number; turn: Seat; phase: string; over: boolean }
export interface Table {
  width: Length; depth: Length; clock: Clock;
  models: Record<string, Model>; removed: Record<string, Model>; units: Record<string, Unit>;
  terrain: Record<string, Terrain>; templates: Record<string, Template>; markers: Record<string, Marker>;
  scores: Record<string, number>;
}

export interface Moved { model: string; pose: Pose; via: Point[] }
export type Fact =
  | { fact: "models_placed"; models: Model[] }
  | { fact: "models_moved"; moves: Moved[] }
  | { fact: "models_removed"; models: string[] }
  | { fact: "status_set"; model: string; key: string; value: Status | null }
  | { fact: "statuses_set"; key: string; values: Record<string, Status | null> }
  | { fact: "unit_set"; unit: Unit }
  | { fact: "unit_status_set"; unit: string; key: string; value: Status | null }
  | { fact: "terrain_set"; id: string; terrain: Terrain | null }
  | { fact: "template_laid"; template: Template }
  | { fact: "template_lifted"; id: string }
  | { fact: "marker_set"; id: string; marker: Marker | null }
  | { fact: "clock_set"; clock: Clock }
  | { fact: "score_set"; seat: Seat; score: number };

export interface Option { id: string; label: string; note: string; refs: string[] }
export interface Barred { id: string; rule: string; why: string }
export interface Reach { origin: Point; least: Length; most: Length; facing: Bearing; arc: Bearing }
export interface Disc { radius: Length; hole: Length }
export interface Region { outline: Point[] }

interface Asking { rule: string; to: Seat; prompt: string; refs: string[]; seen_by: Seat[] | null }
export interface Confirm extends Asking { kind: "confirm"; yes: string; no: string; otherwise: boolean }
export interface Choose extends Asking { kind: "choose"; options: Option[]; barred: Barred[]; reach: Reach | null; preview: Disc | null }
export interface ChooseSome extends Asking { kind: "choosesome"; options: Option[]; least: number; most: number }
export interface Place extends Asking { kind: "place"; region: Region; suggested: Point; shape: Disc | null; reach: Reach | null }
export interface Aim extends Asking { kind: "aim"; origin: Pose; arc: Bearing; length: Length }
export interface Allocate extends Asking { kind: "allocate"; options: Option[]; total: number; caps: Record<string, number> }
export interface Guess extends Asking { kind: "guess"; least: number; most: number; unit: string }
export type AnyQuestion = Confirm | Choose | ChooseSome | Place | Aim | Allocate | Guess;

export interface Modifier { amount: number; reason: string }
export type Motion =
  | { motion: "undo"; to: number }
  | { motion: "resolve" }
  | { motion: "end" }
  | { motion: "option"; key: string; value: number | string | boolean };

interface Placed { seq: number; at: number }
export interface Opened extends Placed {
  kind: "opened"; game: string; system: string; version: string; title: string; options: Record<string, unknown>;
  profiles: Record<string, unknown>; table: Table; commitment: string;
}
export interface Seated extends Placed { kind: "seated"; seat: Seat; mix: string }
export interface Mixed extends Placed { kind: "mixed"; seat: Seat; mix: string }
export interface Started extends Placed { kind: "started"; action: string; by: Seat; rules: string; subject: string; args: unknown; manual: boolean }
export interface Rolled extends Placed { kind: "rolled"; number: number; die: string; faces: (number | string)[]; rule: string; purpose: string; refs: string[] }
export interface Asked extends Placed { kind: "asked"; question: AnyQuestion; sealed: boolean }
export interface Answered extends Placed { kind: "answered"; question: number; value: unknown; by: Seat; timeout: boolean; sealed: boolean }
export interface Unsealed extends Placed { kind: "unsealed"; values: unknown[] }
export interface Judged extends Placed { kind: "judged"; rule: string; subject: string; finding: unknown }
export interface Changed extends Placed { kind: "changed"; fact: Fact }
export interface Noted extends Placed { kind: "noted"; rule: string; text: string; refs: string[]; outcome: string; modifiers: Modifier[] }
export interface Finished extends Placed { kind: "finished" }
export interface Failed extends Placed { kind: "failed"; ref: string; to: number }
export interface Abandoned extends Placed { kind: "abandoned" }
export interface Proposed extends Placed { kind: "proposed"; motion: Motion; by: Seat }
export interface Voted extends Placed { kind: "voted"; by: Seat; yes: boolean }
export interface Rewound extends Placed { kind: "rewound"; to: number; by: Seat }
export interface OptionSet extends Placed { kind: "optionset"; key: string; value: number | string | boolean }
export interface Closed extends Placed { kind: "closed"; seed: string; reason: string }
export interface Hidden extends Placed { kind: "hidden" }
export type WireEvent =
  | Opened | Seated | Mixed | Started | Rolled | Asked | Answered | Unsealed | Judged | Changed | Noted | Finished
  | Failed | Abandoned | Proposed | Voted | Rewound | OptionSet | Closed | Hidden;

export interface Offer {
  action: string; label: string; rule: string; models: string[]; barred: Barred[];
  limits: Record<string, Length>; reach: Record<string, Reach>; manual: boolean;
}
export interface Standing {
  questions: Record<string, AnyQuestion>; motion: number | null; offers: Offer[]; undo: number | null; frozen: string | null;
}
export interface Person { name: string; state: "empty" | "here" | "unsteady" | "gone"; since: number }
export interface Crowd { seats: Record<string, Person>; watching: number }
export interface Said { number: number; at: number; role: Role; name: string; text: string }
export interface Problem { code: string; message: string; rule?: string; seq?: number }
export interface No { ok: false; error: Problem }
export interface Done { ok: true; seq: number }
export interface Joined {
  ok: true; role: Role; seq: number; hash: string; standing: Standing; crowd: Crowd; chat: Said[];
  events: WireEvent[] | null; history: string | null;
}
export interface History { seq: number; hash: string; events: WireEvent[] }
export interface Push { first: number; events: WireEvent[]; hash: string; standing: Standing }
export interface Forecast {
  samples: number; hits: Record<string, number>; lost: Record<string, number>; outcomes: Record<string, number>;
  landings: [number, number, number][]; expected: { hits: number; lost: number; own_hits: number }; asks: AnyQuestion | null;
}
export interface Foretold { ok: true; forecast: Forecast }

export interface Spot { model: string; x: Length; y: Length; facing: Bearing }
export type Pointing =
  | { kind: "cursor"; x: Length | null; y: Length | null }
  | { kind: "drag"; spots: Spot[] }
  | { kind: "ruler"; points: [Length, Length][] }
  | { kind: "aim"; x: Length | null; y: Length | null; radius: Length; hole: Length }
  | { kind: "ping"; x: Length; y: Length };
