import { encodeFunctionData, erc20Abi, formatUnits, type Hex, type PublicClient } from 'viem';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import type { DeploymentManifest } from '../../src/config/deployment-manifest.ts';
import { readContinued } from './continued-accounts.ts';
import { contractAbi, timelockAbi } from './deployment-abi.ts';
import { batchOf, type MigrationPlan, type OwnerCall } from './migration-plan.ts';

// The steps of a migration, in order. Only the chain shows whether a step is done, so after a
// crash, or a week, the next run continues with the first one that is not.

/** A call that a person makes with their own wallet. */
export interface PeoplesCall extends OwnerCall {
  readonly who: string;
}

export interface MigrationStep {
  readonly name: string;
  isDone(): Promise<boolean>;
  /** Does what this program can do; otherwise returns what people have to do first. */
  advance(): Promise<Waiting | null>;
}

export interface Waiting {
  readonly reason: string;
  readonly calls: readonly PeoplesCall[];
}

export interface AccountTotal {
  readonly account: Hex;
  readonly total: bigint;
}

export interface MigrationActions {
  /** Sends what is missing of the plan's first steps. */
  send(count: number): Promise<void>;
  /** Settles these totals on the new router; returns the accounts for which its limit has no room. */
  settle(totals: readonly AccountTotal[]): Promise<readonly Hex[]>;
}

export interface MigrationContext {
  readonly client: PublicClient;
  readonly from: DeploymentManifest;
  readonly plan: MigrationPlan;
  readonly actions: MigrationActions;
}

const routerAbi = contractAbi('RewardRouter');
const vaultAbi = contractAbi('SpotVault');

/** All steps, in their order; each counts on those before it. */
export function stepsOf(context: MigrationContext): readonly MigrationStep[] {
  const { plan } = context;
  const hasVault = plan.replaced.includes('spotVault');
  const hasRouter = plan.replaced.includes('rewardRouter');
  return [
    ...(hasRouter ? [sending(context, 'deploy the router', plan.early)] : []),
    proposing(context),
    delay(context),
    ...(hasVault ? [emptyQueue(context)] : []),
    pausing(context),
    executing(context, 'end the old contracts', plan.ending),
    ...(hasVault
      ? [
          evacuating(context),
          sending(context, 'deploy the vault', plan.steps.length),
          executing(context, 'take over the vault', plan.taking),
          refilling(context),
        ]
      : []),
    ...(hasRouter ? [settling(context), holding(context)] : []),
  ];
}

export function sending({ actions, client, plan }: MigrationContext, name: string, count: number) {
  return {
    name,
    isDone: async () =>
      (await client.getTransactionCount({ address: plan.deployer })) >= plan.firstNonce + count,
    advance: async () => {
      await actions.send(count);
      return null;
    },
  };
}

function timelockView(
  { client, plan }: MigrationContext,
  functionName: 'isOperation' | 'isOperationReady' | 'isOperationDone',
  id: Hex,
): Promise<boolean> {
  const contract = { address: plan.timelock, abi: timelockAbi } as const;
  return client.readContract({ ...contract, functionName, args: [id] });
}

function batchesOf({ client, plan }: MigrationContext) {
  const lists = [plan.ending, plan.taking].filter((calls) => calls.length > 0);
  return Promise.all(lists.map((calls) => batchOf(client, plan, calls)));
}

export function proposing(context: MigrationContext): MigrationStep {
  const { plan } = context;
  const isProposed = (id: Hex) => timelockView(context, 'isOperation', id);
  return {
    name: 'propose what the timelock does',
    isDone: async () => {
      const batches = await batchesOf(context);
      const found = await Promise.all(batches.map(({ id }) => isProposed(id)));
      return found.every((each) => each);
    },
    advance: async () => {
      const calls: PeoplesCall[] = [];
      for (const { id, schedule } of await batchesOf(context)) {
        if (await isProposed(id)) continue;
        calls.push({ who: 'the council', to: plan.timelock, data: schedule });
      }
      return { reason: 'the timelock is not asked yet', calls };
    },
  };
}

export function delay(context: MigrationContext): MigrationStep {
  const { client, plan } = context;
  const isOver = async (id: Hex) =>
    (await timelockView(context, 'isOperationReady', id)) ||
    (await timelockView(context, 'isOperationDone', id));
  return {
    name: 'wait until the timelock lets it be done',
    isDone: async () => {
      const over = await Promise.all((await batchesOf(context)).map(({ id }) => isOver(id)));
      return over.every((each) => each);
    },
    advance: async () => {
      const times = await Promise.all(
        (await batchesOf(context)).map(({ id }) =>
          client.readContract({
            address: plan.timelock,
            abi: timelockAbi,
            functionName: 'getTimestamp',
            args: [id],
          }),
        ),
      );
      const last = times.reduce((a, b) => (a > b ? a : b));
      const until = new Date(Number(last) * 1_000).toISOString();
      return { reason: `the timelock waits until ${until}`, calls: [] };
    },
  };
}

async function isEnded(context: MigrationContext): Promise<boolean> {
  const { id } = await batchOf(context.client, context.plan, context.plan.ending);
  return timelockView(context, 'isOperationDone', id);
}

function emptyQueue(context: MigrationContext): MigrationStep {
  const { client, from } = context;
  const address = from.contracts.spotVault.address as Hex;
  const findWaiting = async () => {
    for (const asset of from.assets) {
      const args = [asset.address as Hex];
      const view = { address, abi: vaultAbi, functionName: 'queuedTotal', args };
      const sum = (await client.readContract(view)) as bigint;
      if (sum > 0n) return `${formatUnits(sum, asset.decimals)} ${asset.symbol}`;
    }
    return null;
  };
  return {
    name: 'empty the queue of the old vault',
    isDone: async () => (await isEnded(context)) || (await findWaiting()) === null,
    advance: async () => {
      const sum = (await findWaiting()) ?? '';
      const reason = `${sum} wait in the old vault's queue: pay them (payQueued) or cancel them`;
      return { reason, calls: [] };
    },
  };
}

function pausing(context: MigrationContext): MigrationStep {
  const { client, from, plan } = context;
  const addresses = plan.replaced.map((kind) => from.contracts[kind].address as Hex);
  const isPaused = async (address: Hex) =>
    (await client.readContract({ address, abi: vaultAbi, functionName: 'paused' })) as boolean;
  const data = encodeFunctionData({ abi: vaultAbi, functionName: 'pause' });
  return {
    name: 'pause the old contracts',
    isDone: async () => (await Promise.all(addresses.map(isPaused))).every((each) => each),
    advance: async () => {
      const calls: PeoplesCall[] = [];
      for (const to of addresses) {
        if (!(await isPaused(to))) calls.push({ who: 'a guardian or the council', to, data });
      }
      return { reason: 'the old contracts still move money', calls };
    },
  };
}

export function executing(
  context: MigrationContext,
  name: string,
  ownerCalls: readonly OwnerCall[],
): MigrationStep {
  const { client, plan } = context;
  return {
    name,
    isDone: async () => {
      const { id } = await batchOf(client, plan, ownerCalls);
      return timelockView(context, 'isOperationDone', id);
    },
    advance: async () => {
      const { execute } = await batchOf(client, plan, ownerCalls);
      const calls = [{ who: 'anybody', to: plan.timelock, data: execute }];
      return { reason: 'the delay is over', calls };
    },
  };
}

function holdings({ client, from }: MigrationContext, vault: Hex) {
  return Promise.all(
    from.assets.map(async (asset) => ({
      asset,
      accounted: (await client.readContract({
        address: vault,
        abi: vaultAbi,
        functionName: 'accounted',
        args: [asset.address as Hex],
      })) as bigint,
    })),
  );
}

function evacuating(context: MigrationContext): MigrationStep {
  const to = context.from.contracts.spotVault.address as Hex;
  const listFull = async () =>
    (await holdings(context, to)).filter(({ accounted }) => accounted > 0n);
  return {
    name: 'take the money out of the old vault',
    isDone: async () => (await listFull()).length === 0,
    advance: async () => ({
      reason: 'the old vault holds money',
      calls: (await listFull()).map(({ asset }) => ({
        who: 'the cold wallet',
        to,
        data: encodeFunctionData({
          abi: vaultAbi,
          functionName: 'evacuate',
          args: [asset.address as Hex],
        }),
      })),
    }),
  };
}

// How much of it the new vault needs is the cold wallet's choice; proposed is the middle between
// floor and high mark, to which a sweep goes down, or all that came out if that is less.
export function refilling(context: MigrationContext): MigrationStep {
  const { client, from, plan } = context;
  const vault = plan.contracts.spotVault;
  const listEmpty = async () => {
    const roles = from.roles!;
    const empty = (await holdings(context, vault)).filter(({ accounted }) => accounted === 0n);
    const found = await Promise.all(
      empty.map(async ({ asset }) => {
        const token = asset.address as Hex;
        const held = await client.readContract({
          address: token,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [roles.coldWallet as Hex],
        });
        const { floor, highMark } = await client.readContract({
          address: vault,
          abi: spotVaultAbi,
          functionName: 'limits',
          args: [token],
        });
        const wanted = (floor + highMark) / 2n;
        return { token, amount: held < wanted ? held : wanted };
      }),
    );
    return found.filter(({ amount }) => amount > 0n);
  };
  return {
    name: 'fill the new vault',
    isDone: async () => (await listEmpty()).length === 0,
    advance: async () => ({
      reason: 'the new vault is empty',
      calls: (await listEmpty()).flatMap(({ token, amount }) => [
        {
          who: 'the cold wallet',
          to: token,
          data: encodeFunctionData({
            abi: erc20Abi,
            functionName: 'approve',
            args: [vault, amount],
          }),
        },
        {
          who: 'the cold wallet',
          to: vault,
          data: encodeFunctionData({
            abi: vaultAbi,
            functionName: 'refill',
            args: [token, amount],
          }),
        },
      ]),
    }),
  };
}

function continuedTotals({ client, from, plan }: MigrationContext) {
  const { rewardRouter } = from.contracts;
  return readContinued(client, 'rewardRouter', rewardRouter, plan.contracts.rewardRouter);
}

export function settling(context: MigrationContext): MigrationStep {
  const listOpen = async () =>
    (await continuedTotals(context))
      .filter(({ what, before, after }) => what === 'settled' && after < before)
      .map(({ account, before }) => ({ account, total: before }));
  return {
    name: 'settle on the new router what was not redeemed',
    isDone: async () => (await listOpen()).length === 0,
    advance: async () => {
      const waiting = await context.actions.settle(await listOpen());
      if (waiting.length === 0) return null;
      const reason = `the limit of settlements has no room yet for ${waiting.join(', ')}`;
      return { reason, calls: [] };
    },
  };
}

function holding(context: MigrationContext): MigrationStep {
  const to = context.plan.contracts.rewardRouter;
  const listLoose = async () =>
    (await continuedTotals(context)).filter(
      ({ what, before, after }) => what === 'held' && before > after,
    );
  return {
    name: 'take over what is held back',
    isDone: async () => (await listLoose()).length === 0,
    advance: async () => ({
      reason: 'what the old router holds back is not held back by the new one',
      calls: (await listLoose()).map(({ account, before }) => ({
        who: 'a guardian or the council',
        to,
        data: encodeFunctionData({
          abi: routerAbi,
          functionName: 'setHold',
          args: [account, before],
        }),
      })),
    }),
  };
}
