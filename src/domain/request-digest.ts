const hexDigitsPerWord = 8;

/** Identifies a signed request: 128 bits of its signature, as four signed 32-bit numbers. */
export interface RequestDigest {
  readonly first: number;
  readonly second: number;
  readonly third: number;
  /** Odd, so that no digest is all zeros. */
  readonly fourth: number;
  /** The time that the request itself states, milliseconds since 1970. */
  readonly timestampMs: number;
}

/** The digest of a request whose signature begins with at least 32 hexadecimal digits. */
export function digestOf(signature: string, timestampMs: number): RequestDigest {
  return {
    first: readWord(signature, 0),
    second: readWord(signature, 1),
    third: readWord(signature, 2),
    fourth: readWord(signature, 3) | 1,
    timestampMs: Math.trunc(timestampMs),
  };
}

/**
 * The place that a table of that many places, a power of two, tries for the digest at the attempt,
 * counted from 0. A client can choose signatures that begin at the same place, so the way from
 * there depends on other bits.
 */
export function digestPlace(
  { first, second }: Pick<RequestDigest, 'first' | 'second'>,
  attempt: number,
  placesCount: number,
): number {
  return (first + Math.imul(attempt, second | 1)) & (placesCount - 1);
}

/** The digest of one part of a request that consists of several, by its index from 0. */
export function digestOfPart(digest: RequestDigest, index: number): RequestDigest {
  const { first, second, third, fourth, timestampMs } = digest;
  return { first, second, third: third ^ index, fourth, timestampMs };
}

const digitZero = 0x30;
const digitNine = 0x39;
/** Letters of both cases differ in this bit alone. */
const lowercase = 0x20;
/** The code of `a`, less its value of 10. */
const letterOffset = 0x61 - 10;

// Digit by digit, which takes a fraction of the time of cutting the text up for the runtime.
function readWord(hex: string, index: number): number {
  let value = 0;
  for (let at = index * hexDigitsPerWord; at < (index + 1) * hexDigitsPerWord; at += 1) {
    const code = hex.charCodeAt(at);
    const digit = code <= digitNine ? code - digitZero : (code | lowercase) - letterOffset;
    value = (value << 4) | digit;
  }
  return value;
}
