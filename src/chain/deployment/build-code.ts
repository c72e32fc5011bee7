import { readFileSync } from 'node:fs';
import type { Hex } from 'viem';

export interface BuildCode {
  /** The code on the chain, with zeros where immutables go. */
  readonly runtime: Hex;
  readonly immutables: readonly { readonly start: number; readonly length: number }[];
}

/** The code that the sources compile to. */
export function buildCode(name: string): BuildCode {
  const file = new URL(`../../../contracts/bytecode/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as BuildCode;
}

/** Whether code on a chain is this build's, whatever its immutables hold. */
export function isBuildCode(code: Hex, name: string): boolean {
  const { runtime, immutables } = buildCode(name);
  if (code.length !== runtime.length) return false;
  const masked = Buffer.from(code.slice(2), 'hex');
  for (const { start, length } of immutables) masked.fill(0, start, start + length);
  return `0x${masked.toString('hex')}` === runtime;
}
