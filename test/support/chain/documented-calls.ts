import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Abi, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { readNamedBlocks } from '../document-blocks.ts';

/** A call of a contract that a page has people send. */
export interface DocumentedCall {
  readonly to: Hex;
  readonly data: Hex;
}

/**
 * Runs a block of docs/maintenance.md that calls Foundry's `cast send`, with these variables.
 * Returns the calls that it makes, in order; nothing is sent.
 */
export async function documentedCalls(
  block: string,
  variables: Readonly<Record<string, string>>,
): Promise<readonly DocumentedCall[]> {
  const folder = mkdtempSync(join(tmpdir(), 'openbourse-cast-'));
  try {
    // What stands in for Foundry's program notes its arguments.
    const cast = join(folder, 'cast');
    const calls = join(folder, 'calls');
    writeFileSync(cast, '#!/bin/sh\nprintf "%s\\t" "$@" >> "$CALLS"; echo >> "$CALLS"\n');
    chmodSync(cast, 0o755);
    const text = readNamedBlocks('docs/maintenance.md').get(block) ?? 'exit 1';
    const env = { PATH: `${folder}:${process.env['PATH']}`, CALLS: calls, ...variables };
    await promisify(execFile)('bash', ['-euc', text], { env });
    const lines = readFileSync(calls, 'utf8').trim().split('\n');
    return lines.map(parseCall);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function parseCall(line: string): DocumentedCall {
  const [send, to, signature = '', ...rest] = line.split('\t');
  if (send !== 'send') throw new Error(`not a call: ${line}`);
  const args = rest.slice(0, rest.indexOf('--rpc-url'));
  const abi: Abi = parseAbi([`function ${signature}`] as readonly string[]);
  return { to: to as Hex, data: encodeFunctionData({ abi, args }) };
}
