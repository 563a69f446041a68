// The log: one entry for each action, one line for each fact.
/** @import { State } from "../state/types" */
/** @import { Acts } from "./acts.js" */
/** @import { Entry, Line, Scribe, Words } from "./loglines.js" */
/** @import { WireEvent } from "../net/types" */
import { html, nothing } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { repeat } from "lit-html/directives/repeat.js";
import { undone } from "../state/log.js";
import { diceRow, diceWords } from "./dice.js";
import { modifierText, newScribe, write } from "./loglines.js";
import { copy, ruleChip } from "./parts.js";
import { text } from "./text.js";

/** How many entries are drawn before somebody asks for more. */
const FEW = 120;

/** What was written already, so that a new event costs one line and not the whole book.
 * @type {{first: WireEvent | undefined, last: WireEvent | undefined, stamp: string, scribe: Scribe} | null} */
let written = null;

/** @param {State} state @returns {Entry[]} */
export function entriesOf(state) {
  const words = wordsOf(state);
  const stamp = JSON.stringify([words.labels, Object.values(words.crowd.seats).map((person) => person.name), state.meta?.id]);
  const goesOn = written && written.stamp === stamp && written.first === state.log[0] && written.last === state.log[written.scribe.count - 1];
  const scribe = goesOn && written ? written.scribe : newScribe(words);
  write(scribe, state.log);
  written = { first: state.log[0], last: state.log.at(-1), stamp, scribe };
  return scribe.entries;
}

/** @param {State} state @returns {Words} */
const wordsOf = ({ meta, crowd }) => ({ meta, crowd, labels: meta?.actions ?? {} });

/** What was struck through, found again only when the log has grown. @type {{log: readonly WireEvent[], struck: Set<number>} | null} */
let strike = null;

/** @param {readonly WireEvent[]} log */
function struckOf(log) {
  if (strike?.log !== log) strike = { log, struck: log.some((event) => event.kind === "rewound" || event.kind === "failed") ? undone(log) : new Set() };
  return strike.struck;
}

/** @param {State} state @param {Acts} acts */
export function logPanel(state, acts) {
  const wanted = String(state.show["filter"] ?? "").trim().toLowerCase();
  const all = entriesOf(state).filter((entry) => entry.lines.length && matches(entry, wanted));
  const most = Number(state.show["entries"] ?? FEW);
  const shown = all.slice(-most);
  const struck = struckOf(state.log);
  const folded = Boolean(state.show["folded"]);
  return html`
    <div class="logbar">
      <input type="search" aria-label=${text.filter} placeholder=${text.filter} .value=${String(state.show["filter"] ?? "")}
        @input=${(/** @type {InputEvent} */ event) => acts.show({ filter: /** @type {HTMLInputElement} */ (event.target).value })}>
      <button class="quiet" @click=${() => acts.show({ folded: !folded })}>${folded ? text.unfoldAll : text.foldAll}</button>
      <button class="quiet" @click=${() => copyAll(state, acts)} title=${text.copyLog}>${text.copy}</button>
    </div>
    <div class="log" id="log" role="log" aria-live="polite" aria-relevant="additions" aria-label=${text.tabs.log} tabindex="0">
      ${all.length > shown.length
        ? html`<button class="quiet" @click=${() => acts.show({ entries: most + 400 })}>${text.earlier(all.length - shown.length)}</button>` : nothing}
      ${shown.length ? nothing : html`<p class="muted">${wanted ? text.logNone : text.logEmpty}</p>`}
      ${repeat(shown, (entry) => entry.seq * 10 + (entry.shape === "divider" ? 1 : 0), (entry) =>
        guard([entry, entry.lines.length, entry.lines[0]?.text, struck, state.cursor, folded], () => entryView(entry, struck, state.cursor, folded)))}
    </div>`;
}

/** @param {Entry} entry @param {string} wanted */
const matches = (entry, wanted) => !wanted || entry.lines.some((line) => lineWords(line).toLowerCase().includes(wanted));

/** @param {Entry} entry @param {Set<number>} struck @param {number | null} cursor @param {boolean} folded */
function entryView(entry, struck, cursor, folded) {
  const [first, ...rest] = entry.lines;
  if (!first) return nothing;
  if (entry.shape === "divider") return html`<div class="entry divider ${struck.has(entry.seq) ? "line undone" : ""}" role="separator" aria-label=${first.text}>${first.text}</div>`;
  const lines = rest.map((line) => lineView(line, struck, cursor));
  if (!rest.length) return html`<div class="entry" data-seat=${entry.seat ?? "none"}>${lineView(first, struck, cursor)}</div>`;
  return html`<details class="entry" data-seat=${entry.seat ?? "none"} ?open=${!folded}><summary>${lineView(first, struck, cursor)}</summary>${lines}</details>`;
}

/** @param {Line} line @param {Set<number>} struck @param {number | null} cursor */
function lineView(line, struck, cursor) {
  const off = struck.has(line.seq);
  return html`<div class="line ${line.minor ? "minor" : ""} ${off ? "undone" : ""}" tabindex="-1" data-seq=${line.seq}
      data-refs=${line.refs.join(" ")} data-rule-of=${line.rule ?? ""} data-now=${cursor === line.seq}>
    ${line.dice ? diceRow(line.dice) : nothing}${line.text} ${ruleChip(line.rule)}
    ${line.manual ? html`<span class="tag">${text.manual}</span>` : nothing}
    ${off ? html`<span class="unseen">(${text.undone})</span>` : nothing}
    ${line.modifiers?.length ? html`<span class="mods">${modifierText(line.modifiers)}</span>` : nothing}
  </div>`;
}

/** A line without its pictures, as it is copied and searched. @param {Line} line */
export function lineWords(line) {
  const dice = line.dice ? `[${diceWords(line.dice)}] ` : "";
  const mods = line.modifiers?.length ? ` (${modifierText(line.modifiers)})` : "";
  return `${dice}${line.text}${mods}${line.rule ? ` ${line.rule}` : ""}${line.manual ? ` (${text.manual})` : ""}`;
}

/** @param {readonly Entry[]} entries @param {Set<number>} struck */
export const asText = (entries, struck) => entries.flatMap((entry) => entry.lines.map((line, place) =>
  `${place && entry.shape === "action" ? "    " : ""}${struck.has(line.seq) ? `[${text.undone}] ` : ""}${lineWords(line)}`)).join("\n");

/** @param {State} state @param {Acts} acts */
function copyAll(state, acts) {
  copy(asText(entriesOf(state), struckOf(state.log)));
  acts.notice(text.copied);
}

/** Arrow keys walk the lines of the log, Enter shows the moment. @param {KeyboardEvent} event @param {Acts} acts */
export function walkLog(event, acts) {
  const log = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("#log"));
  if (!log) return;
  const lines = /** @type {HTMLElement[]} */ ([...log.querySelectorAll(".line")]);
  const at = lines.indexOf(/** @type {HTMLElement} */ (document.activeElement?.closest(".line") ?? document.activeElement));
  const to = { ArrowUp: at < 0 ? lines.length - 1 : at - 1, ArrowDown: at < 0 ? 0 : at + 1, Home: 0, End: lines.length - 1 }[event.key];
  if (event.key === "Enter" && at >= 0) acts.cursor(Number(lines[at]?.dataset["seq"]));
  else if (to !== undefined) lines[to]?.focus();
  else return;
  event.preventDefault();
}
