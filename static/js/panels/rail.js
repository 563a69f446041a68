// The tool rail, and the short notice over the table.
/** @import { State, ToolName } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { html, nothing, svg } from "lit-html";
import { isSeat, roundInches, shownTable } from "./names.js";
import { ruleChip } from "./parts.js";
import { text } from "./text.js";

const ICONS = {
  select: svg`<path d="M5 3l13 8-6 1.5L9 19z"/>`,
  pan: svg`<path d="M12 3v18M3 12h18M12 3l-2.5 2.5M12 3l2.5 2.5M12 21l-2.5-2.5M12 21l2.5-2.5M3 12l2.5-2.5M3 12l2.5 2.5M21 12l-2.5-2.5M21 12l-2.5 2.5"/>`,
  measure: svg`<path d="M2 16 16 2l6 6L8 22zM6 12l2 2M9 9l3 3M12 6l2 2"/>`,
  draw: svg`<path d="M4 20l1-4L16 5l3 3L8 19zM14 7l3 3"/>`,
  free: svg`<path d="M7 21V10m0 0V6.5a1.5 1.5 0 013 0V10m0 0V4.5a1.5 1.5 0 013 0V10m0 0V5.5a1.5 1.5 0 013 0V12m0-2.5a1.5 1.5 0 013 0V15c0 4-2 6-5 6H9"/>`,
  fit: svg`<path d="M4 9V4h5m6 0h5v5m0 6v5h-5m-6 0H4v-5"/>`,
  links: svg`<path d="M9 15l6-6M10.5 6.5l2-2a4.2 4.2 0 016 6l-2 2M13.5 17.5l-2 2a4.2 4.2 0 01-6-6l2-2"/>`,
  settings: svg`<path d="M4 7h9m5 0h2M4 17h2m5 0h9"/><circle cx="15.5" cy="7" r="2.5"/><circle cx="8.5" cy="17" r="2.5"/>`,
  help: svg`<path d="M9 9a3 3 0 116 0c0 2-3 2.3-3 5m0 3.5v.1"/>`,
};

/** @type {[ToolName, string][]} */
const TOOLS = [["select", "V"], ["pan", "Space"], ["measure", "M"]];
const PLAYERS = /** @type {[ToolName, string][]} */ ([...TOOLS, ["draw", "D"]]);

/** @param {State} state @param {Acts} acts */
export function rail(state, acts) {
  const seated = isSeat(state.role) && state.cursor === null;
  const names = /** @type {Record<string, string>} */ (text.tools);
  const tools = seated ? PLAYERS : TOOLS;
  return html`
    ${tools.map(([tool, key]) => button(ICONS[/** @type {keyof typeof ICONS} */ (tool)], `${names[tool]} (${key})`, () => acts.tool(tool), state.tool === tool))}
    ${seated ? button(ICONS.free, text.tools.free, () => acts.free(!state.free), state.free) : nothing}
    ${levels(state, acts)}
    ${acts.fit ? button(ICONS.fit, `${text.tools.fit} (F)`, acts.fit) : nothing}
    ${button(ICONS.links, text.invite.links, () => acts.show({ dialog: "links" }))}
    ${button(ICONS.settings, text.tools.settings, () => acts.show({ dialog: "settings" }))}
    ${button(ICONS.help, `${text.tools.help} (?)`, () => acts.show({ dialog: "help" }))}`;
}

/** @param {unknown} icon @param {string} name @param {() => void} act @param {boolean} [pressed] */
const button = (icon, name, act, pressed) => html`<button aria-label=${name} title=${name} aria-pressed=${pressed ?? nothing} @click=${act}><svg viewBox="0 0 24 24" aria-hidden="true">${icon}</svg></button>`;

/** Terrain with floors is stepped level by level. @param {State} state @param {Acts} acts */
function levels(state, acts) {
  const heights = [...new Set(Object.values(shownTable(state)?.terrain ?? {}).flatMap((piece) => (piece.floors.length > 1 ? piece.floors : [])))].sort((a, b) => a - b);
  if (!heights.length) return nothing;
  const next = heights[heights.indexOf(state.level ?? heights[0] ?? 0) + 1] ?? null;
  const name = `${text.level}: ${state.level === null ? text.ground : `${roundInches(state.level)} in`}`;
  return html`<button aria-label=${name} title=${name} @click=${() => acts.level(next)}>${state.level === null ? "0″" : `${roundInches(state.level)}″`}</button>`;
}

/** @param {State} state @param {Acts} acts */
export function noticeView(state, acts) {
  const { notice } = state;
  if (!notice) return nothing;
  return html`<div class="notice ${notice.kind}" role=${notice.kind === "bad" ? "alert" : "status"}><span>${notice.text} ${ruleChip(notice.rule)}</span>
    <button class="quiet icon" aria-label=${text.close} @click=${() => acts.quiet()}>✕</button></div>`;
}
