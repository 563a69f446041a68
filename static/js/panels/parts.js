// Small pieces that several panels share.
/** @import { State } from "../state/types" */
import { html, nothing } from "lit-html";
import { text } from "./text.js";

/** A rule's number; its sentence comes on hover, or on focus of the line it stands in. @param {string | undefined} rule */
export const ruleChip = (rule) => (rule ? html`<span class="rulechip" data-rule=${rule}>${rule}</span>` : nothing);

/** What a rule says. @param {State} state @param {string} rule */
export const ruleText = (state, rule) => state.meta?.rules[rule] ?? text.theRule(rule);

/** The numbers of a form, by the names of its fields. @param {HTMLFormElement} form */
export function numbersOf(form) {
  /** @type {Record<string, number>} */
  const found = {};
  for (const [name, value] of new FormData(form)) if (value !== "" && !Number.isNaN(Number(value))) found[name] = Number(value);
  return found;
}

/** What a form does when sent, without leaving the page. @param {(form: HTMLFormElement) => void} then */
export const submit = (then) => (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  then(/** @type {HTMLFormElement} */ (event.currentTarget));
};

/** A distance on a bearing as a change of place, in ten-thousandths of an inch (CM-03).
 * @param {number} inches @param {number} degrees */
export function along(inches, degrees) {
  const angle = (degrees * Math.PI) / 180;
  return { x: Math.round(inches * 10_000 * Math.sin(angle)), y: Math.round(inches * 10_000 * Math.cos(angle)) };
}

/** A bearing in hundredths of a degree, from what was typed. @param {number} degrees */
export const bearingOf = (degrees) => ((Math.round(degrees * 100) % 36_000) + 36_000) % 36_000;

/** @param {string} value */
export const copy = (value) => navigator.clipboard?.writeText(value).catch(() => fallbackCopy(value)) ?? fallbackCopy(value);

/** Plain-http hosts have no clipboard interface. @param {string} value */
function fallbackCopy(value) {
  const field = document.createElement("textarea");
  field.value = value;
  field.className = "unseen";
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
