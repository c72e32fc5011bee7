import { hash } from 'node:crypto';
import { assert } from '../../domain/assert.ts';

const blockBytes = 64;
const digestBytes = 32;
const hexLength = 64;
const innerByte = 0x36;
const outerByte = 0x5c;
const secretPattern = /^[A-Za-z0-9]{1,64}$/;

/**
 * HMAC-SHA256 with one API secret. The key's two pads are computed once; a check is then two
 * one-shot hashes whose results stay text, which takes a fifth of the time of createHmac.
 */
export class SigningKey {
  // A secret consists of letters and digits, so each byte of the pad is below 128: one character.
  readonly #innerPad: string;
  /** The outer pad, then room for the inner digest. */
  readonly #outer: Buffer;

  constructor(secret: string) {
    assert(secretPattern.test(secret), 'an API secret is 1 to 64 letters and digits');
    const key = Buffer.alloc(blockBytes);
    key.write(secret, 'latin1');
    this.#innerPad = Buffer.from(key.map((byte) => byte ^ innerByte)).toString('latin1');
    this.#outer = Buffer.alloc(blockBytes + digestBytes);
    this.#outer.set(key.map((byte) => byte ^ outerByte));
  }

  /** True if the lowercase hex is the text's HMAC. */
  matches(text: string, signature: string): boolean {
    return areEqual(this.sign(text), signature);
  }

  /** Returns the text's HMAC in lowercase hex. */
  sign(text: string): string {
    this.#outer.write(hash('sha256', this.#innerPad + text, 'binary'), blockBytes, 'latin1');
    return hash('sha256', this.#outer, 'hex');
  }
}

// Takes the same time whichever characters differ, so that no signature can be guessed stepwise.
function areEqual(one: string, other: string): boolean {
  if (one.length !== hexLength || other.length !== hexLength) return false;
  let difference = 0;
  for (let index = 0; index < hexLength; index += 1) {
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  }
  return difference === 0;
}
