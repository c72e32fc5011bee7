import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { assert } from '../../domain/assert.ts';

// API secrets must be available in clear to check a signature, so they are encrypted at rest: each
// under its own key, derived from the master key, and bound to the row that contains it.

export interface SealedSecret {
  readonly version: number;
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

/** The owner of a secret; opening it for any other owner fails. */
export interface SecretOwner {
  readonly apiKey: string;
  readonly address: string;
}

const algorithm = 'aes-256-gcm';
const currentVersion = 1;
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

export class SecretBox {
  readonly #masterKey: Buffer;

  /** @param masterKey 32 bytes in hex */
  constructor(masterKey: string) {
    this.#masterKey = Buffer.from(masterKey, 'hex');
    assert(this.#masterKey.length === keyBytes, 'the master key has 32 bytes');
  }

  seal(secret: string, owner: SecretOwner): SealedSecret {
    const version = currentVersion;
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, this.#keyOf(owner, version), iv, {
      authTagLength: tagBytes,
    });
    cipher.setAAD(boundText(owner, version));
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return { version, iv, ciphertext, tag: cipher.getAuthTag() };
  }

  /** @throws Error if the row was changed, moved, or sealed under another master key */
  open(sealed: SealedSecret, owner: SecretOwner): string {
    if (sealed.version !== currentVersion || sealed.tag.length !== tagBytes) {
      throw new Error(`the secret of an API key has an unknown form (version ${sealed.version})`);
    }
    const key = this.#keyOf(owner, sealed.version);
    const decipher = createDecipheriv(algorithm, key, sealed.iv, { authTagLength: tagBytes });
    decipher.setAAD(boundText(owner, sealed.version));
    decipher.setAuthTag(sealed.tag);
    try {
      return decipher.update(sealed.ciphertext, undefined, 'utf8') + decipher.final('utf8');
    } catch (cause) {
      throw new Error(
        'the secret of an API key cannot be decrypted: SECRETS_KEY or the row changed',
        {
          cause,
        },
      );
    }
  }

  #keyOf({ apiKey }: SecretOwner, version: number): Buffer {
    const purpose = `openbourse api secret ${version} ${apiKey}`;
    return Buffer.from(hkdfSync('sha256', this.#masterKey, '', purpose, keyBytes));
  }
}

function boundText({ apiKey, address }: SecretOwner, version: number): Buffer {
  return Buffer.from(`apikey|${apiKey}|${address}|${version}`);
}
