// The colours of the table. Sides differ in hue, pattern and shape.
export const SIDES = {
  south: { line: "#ff9f45", fill: "#7c3d0d", letter: "S" },
  north: { line: "#5b9bff", fill: "#1c3f7d", letter: "N" },
};
export const FELT = { light: "#c9bd8f", dark: "#a3986a", rail: "#2c2319", edge: "#17120c" };
export const INK = { dark: "#201d12", soft: "rgba(47,44,28,.75)", halo: "rgba(210,199,156,.85)", pale: "#fff3d0", pill: "rgba(18,22,28,.92)", pillLine: "#4a586a", pillText: "#f4ead0" };
export const TONES = { ok: "#7fd18b", over: "#e6b450", far: "#ff6b6b", brass: "#e6b450", aim: "#ffc964" };
export const FONT = '"Inter","DejaVu Sans",system-ui,sans-serif';
