// A ruler: drawn from the points that were measured, with the number everybody gets.
/** @import { Ruler } from "../../state/types" */
/** @import { Camera } from "../camera.js" */
/** @import { Pen } from "../pen.js" */
import { sayLength } from "../../geometry/units.js";
import { pill } from "../pen.js";
import { sightLine } from "./templates.js";

/** @param {Pen} pen @param {Camera} camera @param {Ruler} ruler @param {"in" | "cm"} unit @param {string} colour */
export function drawRuler(pen, camera, { rules, total }, unit, colour) {
  for (const rule of rules) {
    sightLine(pen, camera, rule.from, rule.to, "rgba(32,26,10,.55)");
    sightLine(pen, camera, rule.from, rule.to, colour);
  }
  rules.forEach((rule, i) => {
    const [x, y] = camera.at({ x: (rule.from.x + rule.to.x) / 2, y: (rule.from.y + rule.to.y) / 2 });
    const last = i === rules.length - 1;
    const sum = last && rules.length > 1 ? ` · ${sayLength(total, unit)} in all` : "";
    pill(pen, camera, sayLength(rule.length, unit) + sum + (rule.text ? ` · ${rule.text}` : ""), x, y - 16);
  });
}
