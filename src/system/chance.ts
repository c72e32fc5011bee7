import { randomBytes } from 'node:crypto';

/** A process's source of unguessable values. */
export interface Chance {
  /** Random bytes as hexadecimal digits. */
  hex(bytes: number): string;
}

export const systemChance: Chance = {
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};
