import { readFileSync } from 'node:fs';
import type { Hex } from 'viem';

/**
 * A contract's creation code, committed next to the sources, so that starting needs no compiler.
 */
export function contractCode(name: string): Hex {
  const file = new URL(`../../../contracts/bytecode/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly bytecode: Hex }).bytecode;
}
