import { renameSync, writeFileSync } from 'node:fs';
import {
  BaseError,
  ContractFunctionRevertedError,
  encodeFunctionData,
  type Hex,
  keccak256,
  type PublicClient,
  type TransactionReceipt,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { rewardRouterAbi } from '../../src/chain/abi/reward-router-abi.ts';
import { minedReceipt } from '../../src/chain/development/mined-receipt.ts';
import { fromHexAddress, toHexAddress } from '../../src/chain/evm-values.ts';
import type { ChainSigner } from '../../src/chain/signers/chain-signer.ts';
import { type DeploymentManifest, parseManifest } from '../../src/config/deployment-manifest.ts';
import { readContinued } from './continued-accounts.ts';
import type { MigrationPlan } from './migration-plan.ts';
import type {
  AccountTotal,
  MigrationActions,
  MigrationContext,
  MigrationStep,
  Waiting,
} from './migration-steps.ts';
import { runPlan } from './run-plan.ts';

export interface MigrationRun {
  readonly client: PublicClient;
  readonly from: DeploymentManifest;
  readonly plan: MigrationPlan;
  readonly deployer: PrivateKeyAccount;
  readonly settler: ChainSigner;
  /** The fields of the successors' manifest besides their addresses. */
  readonly successors: DeploymentManifest;
  /** Builds the steps, as the old contracts' version needs them. */
  readonly stepsOf: (context: MigrationContext) => readonly MigrationStep[];
  /** The signed transactions of the plan. */
  readonly pendingPath: string;
  /** The path to which the successors' manifest is written. */
  readonly path: string;
  /** Called after each completed step. */
  readonly tell: (line: string) => void;
}

const accountsInBatch = 100;

/**
 * Does everything that can be done now. Null: the migration is complete and its manifest written;
 * otherwise what people have to do before the next run.
 * @throws Error if the chain does not answer, refuses a step or shows other totals at the end.
 */
export async function migrate(run: MigrationRun): Promise<Waiting | null> {
  const { client, from, plan, tell, stepsOf } = run;
  let receipts: readonly TransactionReceipt[] = [];
  const actions: MigrationActions = {
    send: async (count) => {
      receipts = await runPlan(client, run.deployer, plan, run.pendingPath, count);
    },
    settle: (totals) => settle(run, totals),
  };
  for (const step of stepsOf({ client, from, plan, actions })) {
    if (!(await step.isDone())) {
      const waiting = await step.advance();
      if (waiting !== null) return { ...waiting, reason: `${step.name}: ${waiting.reason}` };
    }
    tell(`done: ${step.name}`);
  }
  await requireEqual(run);
  receipts = await runPlan(client, run.deployer, plan, run.pendingPath);
  await writeSuccessors(run, receipts);
  return null;
}

/** The step with which the next run begins, and what it waits for; nothing is sent. */
export async function findNextStep(
  run: Pick<MigrationRun, 'client' | 'from' | 'plan' | 'stepsOf'>,
): Promise<{ readonly name: string; readonly waiting: Waiting | null } | null> {
  const actions = { send: async () => {}, settle: async () => [] };
  const { client, from, plan } = run;
  for (const step of run.stepsOf({ client, from, plan, actions })) {
    if (await step.isDone()) continue;
    return { name: step.name, waiting: await step.advance() };
  }
  return null;
}

/**
 * Settles all that the limit of settlements has room for, as what is held back counts against it;
 * returns the accounts that have to wait for more.
 */
async function settle(run: MigrationRun, totals: readonly AccountTotal[]): Promise<readonly Hex[]> {
  const open: (readonly AccountTotal[])[] = [];
  for (let start = 0; start < totals.length; start += accountsInBatch) {
    open.push(totals.slice(start, start + accountsInBatch));
  }
  const waiting: Hex[] = [];
  for (let batch = open.shift(); batch !== undefined; batch = open.shift()) {
    const gas = await estimateSettlement(run, batch);
    const half = Math.ceil(batch.length / 2);
    if (gas !== null) await sendSettlement(run, batch, gas);
    else if (batch.length > 1) open.unshift(batch.slice(0, half), batch.slice(half));
    else waiting.push(...batch.map(({ account }) => account));
  }
  return waiting;
}

function settlementOf(batch: readonly AccountTotal[]) {
  const args = [batch.map(({ account }) => account), batch.map(({ total }) => total)] as const;
  return { abi: rewardRouterAbi, functionName: 'batchSettleRewards', args } as const;
}

/** Null if the limit of settlements has no room for it now. */
async function estimateSettlement(
  { client, plan, settler }: MigrationRun,
  batch: readonly AccountTotal[],
): Promise<bigint | null> {
  const account = toHexAddress(settler.address);
  const call = { ...settlementOf(batch), account, address: plan.contracts.rewardRouter };
  return client.estimateContractGas(call).catch((cause: unknown) => {
    const revert =
      cause instanceof BaseError &&
      cause.walk((each) => each instanceof ContractFunctionRevertedError);
    const name = revert instanceof ContractFunctionRevertedError && revert.data?.errorName;
    if (name === 'SettlementWindowExceeded') return null;
    throw new Error('the new router refuses to settle what was not redeemed', { cause });
  });
}

async function sendSettlement(
  { client, plan, settler }: MigrationRun,
  batch: readonly AccountTotal[],
  gas: bigint,
): Promise<void> {
  const fees = await client.estimateFeesPerGas();
  // Totals are cumulative, so a batch of a run that was killed may arrive as well.
  const nonce = await client.getTransactionCount({
    address: toHexAddress(settler.address),
    blockTag: 'pending',
  });
  const { bytes } = await settler.signTransaction(plan.chainId, {
    nonce,
    to: fromHexAddress(plan.contracts.rewardRouter),
    data: encodeFunctionData(settlementOf(batch)),
    gasLimit: (gas * 12n) / 10n,
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  });
  const hash = await client.sendRawTransaction({ serializedTransaction: bytes });
  const { status } = await minedReceipt(client, hash);
  if (status !== 'success') throw new Error(`the settlement ${hash} was reverted`);
}

/** @throws Error that names the first account whose numbers differ in a successor. */
async function requireEqual({ client, from, plan, tell }: MigrationRun): Promise<void> {
  for (const kind of plan.replaced) {
    const old = from.contracts[kind];
    const all = await readContinued(client, kind, old, plan.contracts[kind]);
    const wrong = all.find(({ before, after }) => before !== after);
    if (wrong !== undefined) {
      const { account, what, before, after } = wrong;
      throw new Error(`${kind}: ${what} of ${account} is ${before} and then ${after}`);
    }
    tell(`equal: ${all.length} numbers of ${kind}`);
  }
}

async function writeSuccessors(
  { client, from, plan, path, successors }: MigrationRun,
  receipts: readonly TransactionReceipt[],
): Promise<void> {
  const contracts = { ...from.contracts };
  for (const kind of Object.keys(contracts) as (keyof typeof contracts)[]) {
    const address = plan.contracts[kind];
    const index = plan.steps.findIndex(({ creates }) => creates === address);
    if (index === -1) continue;
    const code = await client.getCode({ address });
    const block = receipts[index]?.blockNumber;
    if (code === undefined || block === undefined) throw new Error(`no contract at ${address}`);
    // The register has no numbers to continue.
    const predecessor = kind === 'referralRebate' ? null : from.contracts[kind].address;
    const codeHash = keccak256(code);
    contracts[kind] = { address, startBlock: Number(block), codeHash, predecessor };
  }
  const text = `${JSON.stringify({ ...successors, contracts }, null, 2)}\n`;
  const parsed = parseManifest(text);
  if ('problems' in parsed) throw new Error(`the manifest: ${parsed.problems.join('; ')}`);
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
