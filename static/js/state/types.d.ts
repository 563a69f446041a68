// The page's state. It is changed only by reduce(); everything in it is treated as frozen.

import type {
  Bearing, Crowd, Disc, Forecast, Fact, Length, Opened, Point, Pointing, Pose, Problem, Role, Said, Seat, Spot, Standing, Table, WireEvent,
} from "../net/types";

export type Link = "connecting" | "live" | "away" | "gone";
export type ToolName = "select" | "pan" | "measure" | "pick" | "place" | "aim" | "draw" | "build";

/** What the seats' hands are doing right now; kept per role, newest of each kind. */
export interface Hands {
  cursor?: { x: Length; y: Length; at: number };
  drag?: { spots: Spot[]; at: number };
  ruler?: { points: [Length, Length][]; at: number };
  aim?: { x: Length; y: Length; radius: Length; hole: Length; at: number };
  ping?: { x: Length; y: Length; at: number };
}

export interface Pending {
  id: string;
  event: "do" | "answer" | "propose" | "vote" | "say" | "mix";
  payload: Record<string, unknown>;
  at: number;
  state: "sent" | "refused";
  error?: Problem;
}

/** One model in the hand: where it stood, where it is held, and how far that is. */
export interface Held { model: string; from: Pose; pose: Pose; used: Length; limit: Length | null }

export interface Drag {
  held: Held[];
  via: Point[];
  action: "move" | "free_move";
  used: Length;
  limit: Length | null;
  verdict: "ok" | "over" | "far";
  /** Models the held ones would run into. */
  hits: string[];
  state: "held" | "sent" | "back";
}

export interface Rule { from: Point; to: Point; length: Length; edge: boolean; text: string }
export interface Ruler { points: Point[]; rules: Rule[]; total: Length }

/** What the own hand is doing; written by tools, drawn by the view, shown by panels. */
export interface Sketch {
  drag: Drag | null;
  ruler: Ruler | null;
  marquee: { from: Point; to: Point } | null;
  /** A template or point in the hand (Place). */
  place: { at: Point; shape: Disc | null; lawful: boolean; why: string } | null;
  /** A direction in the hand (Aim). */
  aim: { bearing: Bearing; lawful: boolean } | null;
  /** What a ChooseSome has picked so far. */
  picked: string[];
  line: Point[] | null;
}

export interface Notice { text: string; kind: "info" | "warn" | "bad"; at: number; rule?: string }

export interface Meta {
  id: string; name: string; version: string; summary: string;
  phases: { id: string; name: string; moves: boolean }[];
  actions: Record<string, string>;
  statuses: { key: string; label: string; of: "model" | "unit"; type: "flag" | "number" | "text"; shown: "badge" | "pips" | "hidden"; manual: boolean }[];
  cards: Record<string, [string, string][]>;
  rules: Record<string, string>;
  [more: string]: unknown;
}

export interface Animation {
  /** The last event that the canvas shows; equal to `seq` when nothing plays. */
  until: number;
  playing: boolean;
  speed: number;
  /** Whether somebody plays events out; without it the canvas is always up to date. */
  attached: boolean;
}

export interface State {
  game: string;
  role: Role | null;
  link: Link;
  awaySince: number | null;
  /** The last event known, -1 before the first. */
  seq: number;
  log: readonly WireEvent[];
  opened: Opened | null;
  /** The table after `seq`. */
  table: Table | null;
  hash: string;
  /** Replay: null is live, else the event shown last. */
  cursor: number | null;
  /** What the canvas shows: the table at `cursor`, or at `animation.until`, or the present one. */
  shown: Table | null;
  standing: Standing;
  crowd: Crowd;
  chat: readonly Said[];
  meta: Meta | null;
  presence: Record<string, Hands>;
  pending: Record<string, Pending>;
  selection: readonly string[];
  hover: string | null;
  /** Things lit by a hovered log line or option. */
  lit: readonly string[];
  tool: ToolName;
  /** Free play: drags move without limit. */
  free: boolean;
  /** Height of the floor that is worked on, null for the ground. */
  level: Length | null;
  forecast: { key: string; result: Forecast } | null;
  notice: Notice | null;
  show: Record<string, unknown>;
  sketch: Sketch;
  animation: Animation;
  /** Replay: whether it plays, and how fast. */
  replay: { playing: boolean; speed: number };
  settings: { speed: number; motion: boolean; grid: boolean; rings: readonly Length[]; unit: "in" | "cm" };
}

export type Action =
  | { type: "history"; events: WireEvent[]; hash: string }
  | { type: "events"; events: WireEvent[]; hash: string; standing?: Standing; instant?: boolean }
  | { type: "joined"; role: Role; standing: Standing; crowd: Crowd; chat: readonly Said[] }
  | { type: "standing"; standing: Standing }
  | { type: "crowd"; crowd: Crowd }
  | { type: "said"; said: Said }
  | { type: "presence"; items: ({ role: Role } & Pointing)[]; at: number }
  | { type: "link"; link: Link; at: number }
  | { type: "pending"; id: string; pending: Pending | null }
  | { type: "meta"; meta: Meta }
  | { type: "game"; game: string; role?: Role | null }
  | { type: "animation"; animation: Partial<Animation> }
  | { type: "cursor"; seq: number | null }
  | { type: "sketch"; sketch: Partial<Sketch> }
  | { type: "forecast"; forecast: { key: string; result: Forecast } | null }
  | { type: "set"; patch: Partial<Pick<State, "selection" | "hover" | "lit" | "tool" | "free" | "level" | "notice">> }
  | { type: "show"; patch: Record<string, unknown> }
  | { type: "replay"; patch: Partial<State["replay"]> }
  | { type: "settings"; patch: Partial<State["settings"]> };

export interface Store {
  get(): State;
  dispatch(action: Action): void;
  /** Called after each change with the new and the old state; returns how to stop. */
  subscribe(listener: (state: State, before: State) => void): () => void;
}

export type { Bearing, Fact, Length, Point, Pose, Seat, Table, WireEvent };
