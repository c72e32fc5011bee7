const wordDigits = 8;

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

/** The digest of one part of a request that consists of several, by its index from 0. */
export function digestOfPart(digest: RequestDigest, index: number): RequestDigest {
  const { first, second, third, fourth, timestampMs } = digest;
  return { first, second, third: third ^ index, fourth, timestampMs };
}

function readWord(hex: string, index: number): number {
  return Number.parseInt(hex.slice(index * wordDigits, (index + 1) * wordDigits), 16) | 0;
}
