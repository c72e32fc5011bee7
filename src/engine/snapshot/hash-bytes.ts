const blockBytes = 16;

/**
 * A 128-bit hash in hex that detects any accidental difference; it does not protect against
 * forgery.
 */
export function hashBytes(bytes: Uint8Array): string {
  const padded = new Uint8Array(Math.ceil(bytes.length / blockBytes) * blockBytes);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  let first = 0x9e3779b9 ^ bytes.length;
  let second = 0x243f6a88;
  let third = 0xb7e15162 | 0;
  let fourth = 0x452821e6;
  for (let at = 0; at < padded.length; at += blockBytes) {
    first = mixIn(first, view.getInt32(at, true) ^ fourth);
    second = mixIn(second, view.getInt32(at + 4, true) ^ first);
    third = mixIn(third, view.getInt32(at + 8, true) ^ second);
    fourth = mixIn(fourth, view.getInt32(at + 12, true) ^ third);
  }
  return [first, second, third, fourth]
    .map((lane) => (finish(lane) >>> 0).toString(16).padStart(8, '0'))
    .join('');
}

function mixIn(lane: number, word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  const turned = (mixed << 15) | (mixed >>> 17);
  const joined = lane ^ Math.imul(turned, 0x1b873593);
  return (Math.imul((joined << 13) | (joined >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(lane: number): number {
  const once = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}
