import { hash, timingSafeEqual } from 'node:crypto';
import { assert } from '../../domain/assert.ts';

const blockBytes = 64;
const digestBytes = 32;
const innerByte = 0x36;
const outerByte = 0x5c;
const secretPattern = /^[A-Za-z0-9]{1,64}$/;

/**
 * HMAC-SHA256 under one API secret. The key's two pads are made once; a check is then two one-shot
 * hashes, about half the time of createHmac.
 */
export class SigningKey {
  // A secret is letters and digits, so each byte of the pad is below 128: one character.
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

  /** True where the 32 bytes are the text's HMAC; takes the same time whichever bytes differ. */
  matches(text: string, signature: Uint8Array): boolean {
    return signature.length === digestBytes && timingSafeEqual(this.#digest(text), signature);
  }

  /** The text's HMAC in hex. */
  sign(text: string): string {
    return this.#digest(text).toString('hex');
  }

  #digest(text: string): Buffer {
    this.#outer.set(hash('sha256', this.#innerPad + text, 'buffer'), blockBytes);
    return hash('sha256', this.#outer, 'buffer');
  }
}
