import type { Hex } from 'viem';

/** A secp256k1 key, wherever it is stored. */
export interface SigningKey {
  /** In lowercase. */
  readonly address: string;
  /** 65 bytes: r, a low s, and v 27 or 28. Two signatures of one digest may differ. */
  sign(digest: Hex): Promise<Hex>;
}
