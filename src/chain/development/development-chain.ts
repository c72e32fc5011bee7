import { gunzipSync } from 'node:zlib';
import { type Hex, hexToBytes, parseEther } from 'viem';
import type { Address } from '../../domain/identifiers.ts';
import type { Logger } from '../../observability/log.ts';
import type { DeployedAddresses } from '../chain-addresses.ts';
import { toHexAddress } from '../evm-values.ts';
import { type AnvilProcess, startAnvil } from './anvil-process.ts';
import { type ChainFiles, type DeploymentRecord, openChainFiles } from './chain-files.ts';
import {
  createDevelopmentClient,
  type DeploymentTerms,
  type DevelopmentClient,
  deployContracts,
} from './deploy-contracts.ts';
import { ensureGuardian, ensureRoles } from './ensure-roles.ts';

// The exchange's own chain for development: started with the exchange, with its state in DATA_DIR
// and the contracts deployed once. Anvil itself saves its state only on a clean exit, and not
// atomically, so the state is fetched and saved here whenever the head has moved, and before any
// event of a block is counted. After a kill the chain may lack its last moments, but never a block
// that the database has counted.

export interface DevelopmentChainOptions extends DeploymentTerms {
  /** Who may pause the contracts besides their owner; null or absent: nobody. */
  readonly guardian?: Address | null;
  readonly folder: string;
  readonly chainId: number;
  readonly log: Logger;
  /** How often to check whether the head needs saving; slow saves lower the rate automatically. */
  readonly saveIntervalMs: number;
  /** A block is mined after this long without one, so that deadlines pass on an idle chain too. */
  readonly heartbeatMs: number;
}

export interface DevelopmentChain {
  readonly rpcUrl: string;
  readonly contracts: DeployedAddresses;
  /** Events are searched after this block. */
  readonly startBlock: number;
  /** Saves the chain's current state; resolves to the highest block that is safe now. */
  save(): Promise<number>;
  /** Resolves when the chain has ended, for whatever reason. */
  readonly stopped: Promise<unknown>;
  stop(): Promise<void>;
}

const operatorBalance = parseEther('1000');
// Saving takes at most a twentieth of the time.
const saveShare = 20;

/** @throws AnvilMissingError; Error if the saved state does not load. */
export async function openDevelopmentChain(
  options: DevelopmentChainOptions,
): Promise<DevelopmentChain> {
  const files = openChainFiles(options.folder);
  const record = files.loadDeployment();
  const anvil = await startOnUsualPort(options.chainId, files, record);
  try {
    const client = createDevelopmentClient(anvil.rpcUrl);
    const deployment = await ensureDeployed(client, { options, files, record, port: anvil.port });
    const saver = new StateSaver(client, files, options.log);
    await saver.save();
    await files.saveDeployment(deployment);
    const stopBeating = startHeartbeat(client, saver, options);
    void anvil.stopped.then(stopBeating);
    return {
      rpcUrl: anvil.rpcUrl,
      contracts: deployment.contracts,
      startBlock: deployment.startBlock,
      save: () => saver.save(),
      stopped: anvil.stopped,
      stop: async () => {
        stopBeating();
        await saver.saveLast();
        await anvil.stop();
      },
    };
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

// Wallets identify the chain by its port, so the port stays the same if possible.
async function startOnUsualPort(
  chainId: number,
  files: ChainFiles,
  record: DeploymentRecord | null,
): Promise<AnvilProcess> {
  const stateFile = files.hasState() ? files.stateFile : null;
  if (record !== null) {
    try {
      return await startAnvil({ chainId, port: record.port, stateFile });
    } catch (error) {
      if (!/in use/i.test(String(error))) throw error;
    }
  }
  return startAnvil({ chainId, port: 0, stateFile });
}

interface DeploymentContext {
  readonly options: DevelopmentChainOptions;
  readonly files: ChainFiles;
  readonly record: DeploymentRecord | null;
  readonly port: number;
}

async function ensureDeployed(
  client: DevelopmentClient,
  { options, record, port }: DeploymentContext,
): Promise<DeploymentRecord> {
  const { chainId, signers, guardian = null } = options;
  const operator = signers.reward;
  if (record !== null && (await isDeployed(client, record))) {
    await giveCoin(client, await ensureRoles(client, record.contracts, signers));
    await nameGuardian(client, record.contracts, guardian);
    return { ...record, port, operator };
  }
  const startBlock = Number(await client.getBlockNumber());
  const contracts = await deployContracts(client, options);
  await giveCoin(client, signers.settler);
  await nameGuardian(client, contracts, guardian);
  return { chainId, port, operator, contracts, startBlock };
}

async function nameGuardian(
  client: DevelopmentClient,
  contracts: DeployedAddresses,
  guardian: Address | null,
): Promise<void> {
  if (guardian === null || !(await ensureGuardian(client, contracts, guardian))) return;
  await giveCoin(client, guardian);
}

async function giveCoin(client: DevelopmentClient, address: Address): Promise<void> {
  await client.setBalance({ address: toHexAddress(address), value: operatorBalance });
}

async function isDeployed(client: DevelopmentClient, record: DeploymentRecord): Promise<boolean> {
  if ((await client.getChainId()) !== record.chainId) return false;
  const codes = await Promise.all(
    Object.values(record.contracts).map((address: Address) =>
      client.getCode({ address: toHexAddress(address) }),
    ),
  );
  return codes.every((code) => code !== undefined);
}

class StateSaver {
  readonly #client: DevelopmentClient;
  readonly #files: ChainFiles;
  readonly #log: Logger;
  #savedHead: { readonly hash: Hex; readonly number: number } | null = null;
  #running: Promise<number> | null = null;

  constructor(client: DevelopmentClient, files: ChainFiles, log: Logger) {
    this.#client = client;
    this.#files = files;
    this.#log = log;
  }

  /** Saves unless the head is already saved; one save at a time. */
  async save(): Promise<number> {
    while (this.#running !== null) await this.#running.catch(() => undefined);
    this.#running = this.#saveHead();
    try {
      return await this.#running;
    } finally {
      this.#running = null;
    }
  }

  /** The same if the chain may have ended: then only the saved state remains. */
  async saveLast(): Promise<void> {
    try {
      await this.save();
    } catch (error) {
      this.#log.warn({ err: error }, 'the development chain could not be saved at the end');
    }
  }

  async #saveHead(): Promise<number> {
    const { hash, number } = await this.#client.getBlock({ blockTag: 'latest' });
    if (this.#savedHead?.hash === hash) return this.#savedHead.number;
    const state = await this.#client.dumpState();
    await this.#files.saveState(gunzipSync(hexToBytes(state)));
    this.#savedHead = { hash, number: Number(number) };
    return this.#savedHead.number;
  }
}

function startHeartbeat(
  client: DevelopmentClient,
  saver: StateSaver,
  { saveIntervalMs, heartbeatMs, log }: DevelopmentChainOptions,
): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let lastNumber = -1n;
  let lastChange = performance.now();
  const beat = async (): Promise<void> => {
    const started = performance.now();
    const number = await client.getBlockNumber({ cacheTime: 0 });
    if (number !== lastNumber) {
      lastNumber = number;
      lastChange = started;
    } else if (started - lastChange >= heartbeatMs) {
      await client.mine({ blocks: 1 });
    }
    await saver.save();
    schedule((performance.now() - started) * saveShare);
  };
  const schedule = (delayMs: number): void => {
    if (isStopped) return;
    timer = setTimeout(
      () => {
        beat().catch((error: unknown) => {
          log.warn({ err: error }, 'the development chain does not answer');
          schedule(saveIntervalMs);
        });
      },
      Math.max(saveIntervalMs, delayMs),
    );
  };
  schedule(0);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
