import { encodeFunctionData, erc20Abi, type Hex, parseAbi, parseUnits, zeroAddress } from 'viem';
import {
  delay,
  executing,
  type MigrationContext,
  type MigrationStep,
  proposing,
  refilling,
  sending,
  settling,
} from './migration-steps.ts';

// How contracts of the first version are retired. Their vault has no withdrawal for its owner, so
// its operator signs a release of everything to the cold wallet. A pause by an owner who then
// renounces the ownership is final. What their router owes stays in it, and its successor pays it
// from new money.

/** Signs the release of the whole balance of a token and returns the call that the payee makes. */
export type SignRelease = (token: Hex, amount: bigint) => Promise<Hex>;

const oldAbi = parseAbi([
  'function owner() view returns (address)',
  'function paused() view returns (bool)',
  'function isSupported(address token) view returns (bool)',
  'function totalSettled() view returns (uint256)',
  'function totalClaimed() view returns (uint256)',
  'function setTokenSupport(address token, bool supported)',
  'function withdrawSurplus(address to, uint256 amount)',
  'function pause()',
  'function renounceOwnership()',
]);
const owner = 'the old owner';
/** Of `I`: anybody can send small amounts, which must not keep what is paused from being ended. */
const leftBehindShare = 1_000n;

/** All steps in their order; in a dry run nothing is signed. */
export function firstVersionSteps(
  context: MigrationContext,
  signRelease: SignRelease | null,
): readonly MigrationStep[] {
  const { plan } = context;
  return [
    sending(context, 'deploy timelock, router and register', plan.early),
    proposing(context),
    delay(context),
    executing(context, 'take over router and register', plan.ending),
    stoppingDeposits(context),
    emptying(context, signRelease),
    withdrawing(context),
    pausing(context),
    renouncing(context),
    sending(context, 'deploy the vault', plan.steps.length),
    executing(context, 'take over the vault', plan.taking),
    // What the proposed refill would take of the cold wallet must not be missing here.
    funding(context),
    refilling(context),
    settling(context),
  ];
}

function read<Name extends 'owner' | 'paused' | 'totalSettled' | 'totalClaimed'>(
  { client }: MigrationContext,
  address: string,
  functionName: Name,
) {
  return client.readContract({ address: address as Hex, abi: oldAbi, functionName });
}

function balanceOf({ client }: MigrationContext, token: string, account: string): Promise<bigint> {
  const args = [account as Hex] as const;
  return client.readContract({
    address: token as Hex,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args,
  });
}

const hasEnded = async (context: MigrationContext, address: string): Promise<boolean> =>
  (await read(context, address, 'owner')) === zeroAddress;

/** What may stay in an old contract of a token. */
async function loadTolerated(
  context: MigrationContext,
  contract: string,
  { limit, decimals }: MigrationContext['from']['assets'][number],
): Promise<bigint> {
  const isPaused = await read(context, contract, 'paused');
  return isPaused ? parseUnits(limit?.I ?? '0', decimals) / leftBehindShare : 0n;
}

function stoppingDeposits(context: MigrationContext): MigrationStep {
  const { client, from } = context;
  const to = from.contracts.spotVault.address as Hex;
  const listTaken = async () => {
    const supported = await Promise.all(
      from.assets.map(({ address }) =>
        client.readContract({
          address: to,
          abi: oldAbi,
          functionName: 'isSupported',
          args: [address as Hex],
        }),
      ),
    );
    return from.assets.filter((_, index) => supported[index]);
  };
  return {
    name: 'stop deposits into the old vault',
    isDone: async () => (await listTaken()).length === 0,
    advance: async () => ({
      reason: 'the old vault takes deposits',
      calls: (await listTaken()).map(({ address }) => {
        const args = [address as Hex, false] as const;
        const data = encodeFunctionData({ abi: oldAbi, functionName: 'setTokenSupport', args });
        return { who: owner, to, data };
      }),
    }),
  };
}

function emptying(context: MigrationContext, signRelease: SignRelease | null): MigrationStep {
  const { from } = context;
  const to = from.contracts.spotVault.address as Hex;
  const listFull = async () => {
    const held = await Promise.all(
      from.assets.map(async (asset) => ({
        token: asset.address as Hex,
        amount: await balanceOf(context, asset.address, to),
        tolerated: await loadTolerated(context, to, asset),
      })),
    );
    return held.filter(({ amount, tolerated }) => amount > tolerated);
  };
  return {
    name: 'take the money out of the old vault',
    isDone: async () => (await hasEnded(context, to)) || (await listFull()).length === 0,
    // The nonces follow each other, so one release is signed at a time.
    advance: async () => {
      const reason = 'the old vault holds money';
      const [first] = await listFull();
      if (first === undefined || signRelease === null) return { reason, calls: [] };
      const data = await signRelease(first.token, first.amount);
      return { reason, calls: [{ who: 'the cold wallet', to, data }] };
    },
  };
}

// What it owes stays in the old router, where it can never be paid out.
function withdrawing(context: MigrationContext): MigrationStep {
  const { from, plan } = context;
  const to = from.contracts.rewardRouter.address as Hex;
  const findSurplus = async () => {
    const [settled, claimed, balance] = await Promise.all([
      read(context, to, 'totalSettled'),
      read(context, to, 'totalClaimed'),
      balanceOf(context, usdtOf(context).address, to),
    ]);
    return balance - (settled - claimed);
  };
  return {
    name: 'move the surplus of the old router into the new one',
    isDone: async () =>
      (await hasEnded(context, to)) ||
      (await findSurplus()) <= (await loadTolerated(context, to, usdtOf(context))),
    advance: async () => {
      const args = [plan.contracts.rewardRouter, await findSurplus()] as const;
      const data = encodeFunctionData({ abi: oldAbi, functionName: 'withdrawSurplus', args });
      return { reason: 'the old router holds a surplus', calls: [{ who: owner, to, data }] };
    },
  };
}

function usdtOf({ from }: MigrationContext) {
  const usdt = from.assets.find(({ symbol }) => symbol === 'USDT');
  if (usdt === undefined) throw new Error('the assets are checked for USDT');
  return usdt;
}

function oldOf({ from: { contracts } }: MigrationContext): readonly Hex[] {
  return [contracts.rewardRouter.address as Hex, contracts.spotVault.address as Hex];
}

function pausing(context: MigrationContext): MigrationStep {
  const data = encodeFunctionData({ abi: oldAbi, functionName: 'pause' });
  const listOpen = async () => {
    const paused = await Promise.all(oldOf(context).map((each) => read(context, each, 'paused')));
    return oldOf(context).filter((_, index) => paused[index] === false);
  };
  return {
    name: 'pause the old contracts',
    isDone: async () => (await listOpen()).length === 0,
    advance: async () => ({
      reason: 'the old contracts still move money',
      calls: (await listOpen()).map((to) => ({ who: owner, to, data })),
    }),
  };
}

function renouncing(context: MigrationContext): MigrationStep {
  const data = encodeFunctionData({ abi: oldAbi, functionName: 'renounceOwnership' });
  const listOwned = async () => {
    const ended = await Promise.all(oldOf(context).map((each) => hasEnded(context, each)));
    return oldOf(context).filter((_, index) => ended[index] === false);
  };
  return {
    name: 'give up the ownership of the old contracts',
    isDone: async () => (await listOwned()).length === 0,
    advance: async () => ({
      reason: 'the old contracts can be opened again by their owner',
      calls: (await listOwned()).map((to) => ({ who: owner, to, data })),
    }),
  };
}

function funding(context: MigrationContext): MigrationStep {
  const { from, plan } = context;
  const router = plan.contracts.rewardRouter;
  // The successor's claimed sum includes what the old router has paid.
  const findMissing = async () => {
    const [settled, claimed, balance] = await Promise.all([
      read(context, from.contracts.rewardRouter.address, 'totalSettled'),
      read(context, router, 'totalClaimed'),
      balanceOf(context, usdtOf(context).address, router),
    ]);
    return settled - claimed - balance;
  };
  return {
    name: 'fund the new router',
    isDone: async () => (await findMissing()) <= 0n,
    advance: async () => {
      const args = [router, await findMissing()] as const;
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
      const to = usdtOf(context).address as Hex;
      return {
        reason: 'the new router holds less than what the old one still owes',
        calls: [{ who: 'the cold wallet', to, data }],
      };
    },
  };
}
