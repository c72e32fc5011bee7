import { randomBytes } from 'node:crypto';

/** Where a process takes what nobody can guess. */
export interface Chance {
  /** So many random bytes as hexadecimal digits. */
  hex(bytes: number): string;
}

export const systemChance: Chance = {
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};
