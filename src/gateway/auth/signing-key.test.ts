import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SigningKey } from './signing-key.ts';

const secret = fc.stringMatching(/^[A-Za-z0-9]{1,64}$/);

test('SigningKey: the same HMAC-SHA256 as the platform computes', () => {
  fc.assert(
    fc.property(secret, fc.string({ unit: 'grapheme', maxLength: 300 }), (key, text) => {
      const expected = createHmac('sha256', key).update(text).digest('hex');
      expect(new SigningKey(key).sign(text)).toBe(expected);
    }),
  );
});

test('SigningKey: one key checks many texts, one after the other', () => {
  const key = new SigningKey('k'.repeat(64));
  const signatures = ['a', 'b', ''].map((text) => Buffer.from(key.sign(text), 'hex'));
  expect(
    ['a', 'b', ''].map((text, index) => key.matches(text, signatures[index] as Buffer)),
  ).toEqual([true, true, true]);
  expect(key.matches('a', signatures[1] as Buffer)).toBe(false);
});

test.each([0, 31, 33, 64])('SigningKey: a signature of %i bytes never matches', (length) => {
  expect(new SigningKey('k').matches('a', Buffer.alloc(length))).toBe(false);
});

test.each(['', 'x'.repeat(65), 'ä', 'a b'])('SigningKey: secret %j is refused', (text) => {
  expect(() => new SigningKey(text)).toThrow('API secret');
});
