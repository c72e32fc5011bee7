import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from '../../src/engine/commands.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import type { Stamp } from '../../src/engine/state-machine.ts';

/** A state as a version wrote it, what it says, and what came of the commands that followed. */
export interface GoldenState {
  readonly bytes: Uint8Array;
  readonly hash: string;
  readonly facts: unknown;
  readonly commands: readonly { readonly command: Command; readonly stamp: Stamp }[];
  readonly after: { readonly hash: string; readonly events: string };
}

export function hasGoldenState(version: number): boolean {
  return existsSync(new URL(`./state/v${version}/`, import.meta.url));
}

export function readGoldenState(version: number): GoldenState {
  const read = (name: string): Buffer =>
    readFileSync(fileURLToPath(new URL(`./state/v${version}/${name}`, import.meta.url)));
  const expected = fromJson(read('expected.json').toString()) as Omit<
    GoldenState,
    'bytes' | 'commands'
  >;
  const commands = fromJson(read('commands.json').toString()) as GoldenState['commands'];
  return { ...expected, bytes: Uint8Array.from(read('state.bin')), commands };
}

/** Big numbers stand as text that ends with n. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(
    value,
    (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each),
    1,
  );
  return `${text}\n`;
}

function fromJson(text: string): unknown {
  return JSON.parse(text, (_, each: unknown) =>
    typeof each === 'string' && /^-?\d+n$/.test(each) ? BigInt(each.slice(0, -1)) : each,
  );
}

/** One digest for every hundred outcomes. */
export function digestsOf(outcomes: readonly AppliedCommand[]): string[] {
  const digests: string[] = [];
  for (let at = 0; at < outcomes.length; at += 100) {
    const told = outcomes.slice(at, at + 100).map(({ rejection, events }) => [rejection, events]);
    digests.push(digestOf(told));
  }
  return digests;
}

export function digestOf(value: unknown): string {
  return createHash('sha256').update(toJson(value)).digest('hex');
}
