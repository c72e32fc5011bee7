import fc from 'fast-check';
import { expect, test } from 'vitest';
import { continueCrc32c, crc32c } from './crc32c.ts';

// The check values of RFC 3720, appendix B.4, and of the CRC catalogue.
test.each([
  ['123456789', Buffer.from('123456789'), 0xe3069283],
  ['nothing', Buffer.alloc(0), 0],
  ['32 zeros', Buffer.alloc(32), 0x8a9136aa],
  ['32 ones', Buffer.alloc(32, 0xff), 0x62a8ab43],
  ['32 rising bytes', Buffer.from(Array.from({ length: 32 }, (_, at) => at)), 0x46dd794e],
])('crc32c: %s has the published checksum', (_name, bytes, expected) => {
  expect(crc32c(bytes, 0, bytes.length)).toBe(expected);
});

test('crc32c: the same in pieces, wherever they are cut', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), fc.nat(9), (bytes, cut, from) => {
      const middle = Math.min(Math.max(cut, from), Math.max(bytes.length, from));
      const start = Math.min(from, bytes.length);
      const first = continueCrc32c(-1, bytes, start, Math.min(middle, bytes.length));
      const whole = continueCrc32c(first, bytes, Math.min(middle, bytes.length), bytes.length);
      expect((whole ^ -1) >>> 0).toBe(crc32c(bytes, start, bytes.length));
    }),
  );
});

test('crc32c: a different seed gives a different checksum', () => {
  const bytes = Buffer.from('record');
  expect(crc32c(bytes, 0, 6, 30)).not.toBe(crc32c(bytes, 0, 6, 31));
});
