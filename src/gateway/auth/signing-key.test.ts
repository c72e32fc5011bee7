import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SigningKey } from './signing-key.ts';

const secret = fc.stringMatching(/^[A-Za-z0-9]{1,64}$/);

test("SigningKey: the same HMAC-SHA256 as the platform's", () => {
  fc.assert(
    fc.property(secret, fc.string({ unit: 'grapheme', maxLength: 300 }), (key, text) => {
      const expected = createHmac('sha256', key).update(text).digest('hex');
      expect(new SigningKey(key).sign(text)).toBe(expected);
    }),
  );
});

test('SigningKey: one key checks many texts, one after the other', () => {
  const key = new SigningKey('k'.repeat(64));
  const texts = ['a', 'b', ''];
  const signatures = texts.map((text) => key.sign(text));
  expect(texts.map((text, index) => key.matches(text, signatures[index] ?? ''))).toEqual([
    true,
    true,
    true,
  ]);
  expect(key.matches('a', signatures[1] ?? '')).toBe(false);
});

test.each([0, 63, 65, 128])('SigningKey: a signature of %i digits never matches', (length) => {
  expect(new SigningKey('k').matches('a', '0'.repeat(length))).toBe(false);
});

test('SigningKey: a signature that differs in any one digit does not match', () => {
  const key = new SigningKey('k');
  const signature = key.sign('a');
  for (let index = 0; index < signature.length; index += 1) {
    const digit = signature[index] === '0' ? '1' : '0';
    const forged = signature.slice(0, index) + digit + signature.slice(index + 1);
    expect(key.matches('a', forged)).toBe(false);
  }
});

test.each(['', 'x'.repeat(65), 'ä', 'a b'])('SigningKey: secret %j is refused', (text) => {
  expect(() => new SigningKey(text)).toThrow('API secret');
});
