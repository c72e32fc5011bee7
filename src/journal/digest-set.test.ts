import { describe, expect, it } from 'vitest';
import { digestOf, type RequestDigest } from '../domain/request-digest.ts';
import { DigestSet, digestBytes } from './digest-set.ts';

/** Spread over all four words; every sixteenth begins at the same place as the one before. */
function digest(number: number): RequestDigest {
  const words = [number >> 4, number * 31 + 1, number * 17 + 2, number * 2];
  const signature = words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  return digestOf(signature, number);
}

function filled(count: number): DigestSet {
  const set = new DigestSet();
  for (let number = 0; number < count; number += 1) set.add(digest(number));
  return set;
}

/** The encoded digests as hexadecimal text, sorted. */
function entriesOf(encoded: Buffer): readonly string[] {
  const count = encoded.length / digestBytes;
  return Array.from({ length: count }, (_, at) =>
    encoded.toString('hex', at * digestBytes, (at + 1) * digestBytes),
  ).sort();
}

function bytesOf({ first, second, third, fourth }: RequestDigest): string {
  const bytes = Buffer.alloc(digestBytes);
  [first, second, third, fourth].forEach((word, at) => bytes.writeInt32LE(word, at * 4));
  return bytes.toString('hex');
}

describe('DigestSet', () => {
  it('digests: each word tells digests apart', () => {
    const known = digest(5);
    const set = new DigestSet();
    set.add(known);
    expect(set.has(known)).toBe(true);
    expect(set.has({ ...known, timestampMs: 7 })).toBe(true);
    for (const word of ['first', 'second', 'third', 'fourth'] as const) {
      expect(set.has({ ...known, [word]: known[word] + 2 })).toBe(false);
    }
  });

  it.each([0, 1, 512, 513, 5_000])(
    'digests: %i are encoded once each and decoded again',
    (count) => {
      const set = filled(count);
      for (let number = 0; number < count; number += 7) set.add(digest(number));
      const encoded = set.encode();
      const expected = Array.from({ length: count }, (_, number) => bytesOf(digest(number)));
      expect(entriesOf(encoded)).toEqual(expected.sort());
      const decoded = DigestSet.decode(encoded);
      for (let number = 0; number < count; number += 1) {
        expect(decoded.has(digest(number))).toBe(true);
        expect(decoded.has(digest(number + count))).toBe(false);
      }
      expect(entriesOf(decoded.encode())).toEqual(entriesOf(encoded));
    },
  );
});
