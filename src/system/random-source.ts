import { randomBytes } from 'node:crypto';

/** A process's source of unguessable values. */
export interface RandomSource {
  /** Random bytes as hexadecimal digits. */
  hex(bytes: number): string;
}

export const systemRandom: RandomSource = {
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};
