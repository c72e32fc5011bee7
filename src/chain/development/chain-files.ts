import { mkdirSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Address } from '../../domain/identifiers.ts';
import type { DeployedAddresses } from '../chain-addresses.ts';

// The two files of a development chain in DATA_DIR/chain: the chain's state, and the record of what
// was deployed to it. Both are replaced atomically, so a crash leaves either the old or the new
// one, complete.

/** What this exchange records about its development chain. */
export interface DeploymentRecord {
  readonly chainId: number;
  readonly port: number;
  readonly operator: Address;
  readonly contracts: DeployedAddresses;
  /** The last block before the first contract; events are searched from the next one on. */
  readonly startBlock: number;
}

export interface ChainFiles {
  readonly stateFile: string;
  loadDeployment(): DeploymentRecord | null;
  hasState(): boolean;
  saveDeployment(record: DeploymentRecord): Promise<void>;
  saveState(state: Uint8Array): Promise<void>;
}

export function openChainFiles(folder: string): ChainFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stateFile = join(folder, 'state.json');
  const deploymentFile = join(folder, 'deployment.json');
  return {
    stateFile,
    hasState: () => readIfPresent(stateFile) !== null,
    loadDeployment: () => {
      const text = readIfPresent(deploymentFile);
      return text === null ? null : (JSON.parse(text) as DeploymentRecord);
    },
    saveDeployment: async (record) =>
      replaceFile(folder, deploymentFile, Buffer.from(`${JSON.stringify(record, null, 2)}\n`)),
    saveState: async (state) => replaceFile(folder, stateFile, state),
  };
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

async function replaceFile(folder: string, path: string, content: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
