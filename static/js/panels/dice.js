// Dice drawn as dice. Each has its value in words for those who cannot see it.
import { html, svg } from "lit-html";

/** @type {Record<number, [number, number][]>} */
const PIPS = {
  1: [[12, 12]],
  2: [[7, 7], [17, 17]],
  3: [[7, 7], [12, 12], [17, 17]],
  4: [[7, 7], [17, 7], [7, 17], [17, 17]],
  5: [[7, 7], [17, 7], [12, 12], [7, 17], [17, 17]],
  6: [[7, 6.5], [7, 12], [7, 17.5], [17, 6.5], [17, 12], [17, 17.5]],
};
const POINTS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

/** What a face says. @param {string} die @param {number | string} face */
export function faceWords(die, face) {
  if (die === "bearing") return `${face}° (${POINTS[Math.round(Number(face) / 45) % 8]})`;
  if (die === "d6") return String(face);
  return die === "scatter" || die === "artillery" ? `${die} die: ${face}` : `${die}: ${face}`;
}

/** @param {string} die @param {number | string} face */
export const dieFace = (die, face) => html`<svg class="die ${face === "misfire" ? "misfire" : ""}" viewBox="0 0 24 24" role="img"
  aria-label=${faceWords(die, face)}><rect x="1" y="1" width="22" height="22" rx="5"></rect>${drawn(die, face)}</svg>`;

/** @param {string} die @param {number | string} face */
function drawn(die, face) {
  if (die === "d6") return PIPS[Number(face)]?.map(([x, y]) => svg`<circle cx=${x} cy=${y} r="2.1"></circle>`);
  if (die === "bearing") return svg`<path transform="rotate(${Number(face)} 12 12)" d="M12 19V5m-4.5 5L12 5l4.5 5"></path>`;
  if (face === "hit") return svg`<path d="M12 4v5m0 6v5M4 12h5m6 0h5"></path><circle cx="12" cy="12" r="2"></circle>`;
  if (face === "arrow") return svg`<path d="M5 19 18 6m-8-1h9v9"></path>`;
  return svg`<text x="12" y="16.5">${face === "misfire" ? "M" : face}</text>`;
}

/** @param {{die: string, faces: readonly (number | string)[]}} roll */
export const diceRow = ({ die, faces }) => faces.map((face) => dieFace(die, face));

/** @param {{die: string, faces: readonly (number | string)[]}} roll */
export const diceWords = ({ die, faces }) => faces.map((face) => faceWords(die, face)).join(", ");
