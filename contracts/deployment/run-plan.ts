import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import {
  createPublicClient,
  type Hex,
  keccak256,
  type PublicClient,
  type TransactionReceipt,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { minedReceipt } from '../../src/chain/development/mined-receipt.ts';
import { readJsonFile } from '../../src/config/read-json-file.ts';
import { networkKind } from '../../src/config/test-networks.ts';
import { agreedTransport, listUrls } from './agreed-transport.ts';
import type { DeploymentPlan, DeploymentStep } from './plan.ts';

// Sends a plan's transactions one after the other. Each is written to the pending file before it is
// sent, and sent again unchanged: a run after a crash continues where the last one stopped.

interface Pending {
  readonly format: 1;
  readonly chainId: number;
  readonly deployer: Hex;
  readonly firstNonce: number;
  readonly planHash: Hex;
  /** By step: what was signed for it. */
  readonly sent: readonly { readonly hash: Hex; readonly bytes: Hex }[];
}

/** @param rpcUrls - comma-separated; what is believed is what all of them say alike */
export function connect(rpcUrls: string): PublicClient {
  return createPublicClient({ transport: agreedTransport(rpcUrls) });
}

/**
 * The same for what moves money: on a main network a single node is not believed.
 * @throws Error if there is only one, or two of one host
 */
export function connectToSeveral(rpcUrls: string, chainId: number): PublicClient {
  const urls = listUrls(rpcUrls);
  const hosts = new Set(urls.map((url) => new URL(url).hostname));
  // Another port of one host is not another operator's node.
  if (networkKind(chainId) === 'main' && (urls.length < 2 || hosts.size < urls.length)) {
    const needed = '--rpc needs several nodes, as URL,URL, each on another host';
    throw new Error(`chain ${chainId} is a main network: ${needed}`);
  }
  return connect(rpcUrls);
}

/** The file of a deployment that was begun; null if none was. */
export function readPending(path: string): Pending | null {
  return existsSync(path) ? (readJsonFile(path) as Pending) : null;
}

function estimate(
  client: PublicClient,
  account: Hex,
  { name, to, data }: DeploymentStep,
): Promise<bigint> {
  return client.estimateGas({ account, to, data }).catch((cause: unknown) => {
    throw new Error(`the chain refuses the step: ${name}`, { cause });
  });
}

/**
 * Sends what is missing of the first `count` steps, or of all; returns the receipts by step.
 * @throws Error if the chain does not answer or refuses a step; a further run continues.
 */
export async function runPlan(
  client: PublicClient,
  account: PrivateKeyAccount,
  plan: DeploymentPlan,
  path: string,
  count = plan.steps.length,
): Promise<readonly TransactionReceipt[]> {
  const { chainId, deployer, firstNonce, hash: planHash } = plan;
  let pending = readPending(path) ?? {
    ...({ format: 1, chainId, deployer, firstNonce, planHash, sent: [] } as const),
  };
  if (pending.planHash !== planHash) {
    throw new Error(`${path} is of another plan: the configuration has changed since it was begun`);
  }
  const receipts: TransactionReceipt[] = [];
  for (const [index, step] of plan.steps.slice(0, count).entries()) {
    const known = pending.sent[index];
    const signed = known ?? (await sign(client, account, plan, { step, index }));
    if (known === undefined) {
      pending = { ...pending, sent: [...pending.sent, signed] };
      save(path, pending);
    }
    receipts.push(await send(client, plan, { step, index, signed }));
  }
  return receipts;
}

async function sign(
  client: PublicClient,
  account: PrivateKeyAccount,
  { deployer, firstNonce, chainId }: DeploymentPlan,
  { step, index }: { readonly step: DeploymentStep; readonly index: number },
) {
  const fees = await client.estimateFeesPerGas();
  const gas = await estimate(client, deployer, step);
  const bytes = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce: firstNonce + index,
    data: step.data,
    ...(step.to === null ? {} : { to: step.to }),
    gas: (gas * 12n) / 10n,
    maxFeePerGas: fees.maxFeePerGas * 2n,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  });
  return { hash: keccak256(bytes), bytes };
}

async function send(
  client: PublicClient,
  { deployer, firstNonce }: DeploymentPlan,
  {
    step,
    index,
    signed,
  }: {
    readonly step: DeploymentStep;
    readonly index: number;
    readonly signed: { readonly hash: Hex; readonly bytes: Hex };
  },
): Promise<TransactionReceipt> {
  const count = await client.getTransactionCount({ address: deployer });
  if (count <= firstNonce + index) {
    await client
      .sendRawTransaction({ serializedTransaction: signed.bytes })
      .catch(async (error) => {
        // A node that already has the transaction answers with its own error form.
        const isThere = await client.getTransaction({ hash: signed.hash }).catch(() => null);
        if (isThere === null) throw error;
      });
  }
  const receipt = await minedReceipt(client, signed.hash).catch((cause: unknown) => {
    throw new Error(
      `${step.name}: ${signed.hash} is in no block, or its nonce was used elsewhere`,
      {
        cause,
      },
    );
  });
  if (receipt.status !== 'success') throw new Error(`${step.name}: ${signed.hash} was reverted`);
  return receipt;
}

// Written atomically, and synced before anything is sent.
function save(path: string, pending: Pending): void {
  const file = openSync(`${path}.new`, 'w');
  writeSync(file, `${JSON.stringify(pending, null, 2)}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
}
