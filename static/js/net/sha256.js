// SHA-256 in plain script, for hosts without crypto.subtle (FIPS 180-4).

/** The first 32 bits of the fractional part of a root. @param {number} value @param {number} power */
const fraction = (value, power) => ((value ** power) % 1) * 2 ** 32 | 0;

/** @param {number} count */
function primes(count) {
  /** @type {number[]} */
  const found = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}
const START = primes(8).map((prime) => fraction(prime, 1 / 2));
const ROUND = primes(64).map((prime) => fraction(prime, 1 / 3));

/** @param {number} word @param {number} by */
const turn = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Uint8Array} bytes @returns {Uint8Array} */
export function sha256(bytes) {
  const blocks = padded(bytes);
  const state = Int32Array.from(START);
  for (let at = 0; at < blocks.byteLength; at += 64) mix(state, blocks, at);
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => out.setInt32(4 * place, word));
  return new Uint8Array(out.buffer);
}

/** @param {Uint8Array} bytes */
function padded(bytes) {
  const view = new DataView(new ArrayBuffer((((bytes.length + 8) >> 6) + 1) << 6));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setUint32(view.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(view.byteLength - 4, bytes.length << 3);
  return view;
}

/** @param {Int32Array} state @param {DataView} blocks @param {number} at */
function mix(state, blocks, at) {
  const words = new Int32Array(64);
  for (let t = 0; t < 64; t += 1) words[t] = t < 16 ? blocks.getInt32(at + 4 * t) : later(words, t);
  let [a, b, c, d, e, f, g, h] = /** @type {number[] & {length: 8}} */ (Array.from(state));
  for (let t = 0; t < 64; t += 1) {
    const e1 = turn(num(e), 6) ^ turn(num(e), 11) ^ turn(num(e), 25);
    const t1 = (num(h) + e1 + ((num(e) & num(f)) ^ (~num(e) & num(g))) + num(ROUND[t]) + num(words[t])) | 0;
    const a0 = turn(num(a), 2) ^ turn(num(a), 13) ^ turn(num(a), 22);
    const t2 = (a0 + ((num(a) & num(b)) ^ (num(a) & num(c)) ^ (num(b) & num(c)))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (num(d) + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => { state[place] = (num(state[place]) + num(word)) | 0; });
}

/** @param {Int32Array} words @param {number} t */
function later(words, t) {
  const [w15, w2] = [num(words[t - 15]), num(words[t - 2])];
  const s0 = turn(w15, 7) ^ turn(w15, 18) ^ (w15 >>> 3);
  const s1 = turn(w2, 17) ^ turn(w2, 19) ^ (w2 >>> 10);
  return (num(words[t - 16]) + s0 + num(words[t - 7]) + s1) | 0;
}

/** @param {number | undefined} word */
const num = (word) => /** @type {number} */ (word);
