import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChainHoldings } from '../../src/application/ports/chain.ts';
import { checkSolvency, type SolvencyReport } from '../../src/application/upkeep/check-solvency.ts';
import { requestWithdrawal } from '../../src/application/wallet/request-withdrawal.ts';
import { formatAmount } from '../../src/domain/amount.ts';
import { requireDecimal } from '../../src/domain/decimal.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { toMicroUsdt } from '../../src/domain/micro-usdt.ts';
import { checkSolvencyJob } from '../../src/jobs/check-solvency.ts';
import { nextAddress, nextUser } from '../support/spot-fixtures.ts';
import { dfToken } from '../support/wallet/scripted-vault.ts';
import { deposited, released, WalletRig } from '../support/wallet/wallet-rig.ts';

// What is owed follows the vault through every step between the chain and the engine.

const oneDf = 10n ** 18n;
let rig: WalletRig;
/** The tokens that the vault holds by the blocks that the test wrote. */
let held = 0n;

beforeAll(async () => {
  rig = await WalletRig.start();
});
afterAll(() => rig.close());

async function check(
  change: Partial<ChainHoldings> & { readonly areCreditsExcused?: boolean } = {},
): Promise<SolvencyReport> {
  const { areCreditsExcused = true, ...holdings } = change;
  const report = await checkSolvency(portsOf(holdings, areCreditsExcused));
  if (report === null) throw new Error('blocks are counted');
  expect(report.isStill).toBe(true);
  return report;
}

function portsOf(holdings: Partial<ChainHoldings>, areCreditsExcused: boolean) {
  return {
    exchange: rig.parts.exchange,
    barrier: rig.parts.barrier,
    solvencyStore: rig.service.services.solvencyStore,
    areCreditsExcused,
    holdings: {
      loadHoldings: async (blockHash: string) => {
        expect(blockHash).toBe(rig.head.hash);
        const vault = [{ ...dfToken, rawAmount: held }];
        const [rewardsHeld, rewardsOwed] = [toMicroUsdt(5n), toMicroUsdt(5n)];
        return { vault, rewardsHeld, rewardsOwed, ...holdings };
      },
    },
  };
}

/** One run of the job; what it paused for. */
async function runJob(
  change: Partial<ChainHoldings> & { readonly onLook?: () => Promise<void> } = {},
): Promise<readonly string[]> {
  const { onLook = async () => undefined, ...rest } = change;
  const ports = portsOf(rest, true);
  const pauses: string[] = [];
  const job = checkSolvencyJob({
    ...ports,
    holdings: {
      loadHoldings: async (blockHash) => {
        const found = await ports.holdings.loadHoldings(blockHash);
        await onLook();
        return found;
      },
    },
    chain: { status: { state: 'ready' } },
    onReport: () => undefined,
    onPause: (shortages) =>
      void pauses.push(
        shortages.map(({ token, amount }) => `${formatAmount(amount)} ${token}`).join(),
      ),
    pauseMs: 0,
  });
  await job.run({ isFirst: false, signal: new AbortController().signal });
  return pauses;
}

/** The refusals of an account without money in both wallets; the pause comes before the balance. */
async function areRequestsPaused(account: Address): Promise<boolean> {
  const perp = await rig.service.call({
    method: 'POST',
    path: '/api/v1/withdraw/request',
    as: account,
    body: { token: 'USDT', amount: '1' },
  });
  const spot = await rig.service.call({
    method: 'POST',
    path: '/api/v1/spot/withdraw/request',
    as: account,
    body: { token: 'DF', amount: '1' },
  });
  const isPaused = perp.status === 503;
  const [perpCode, spotAnswer] = isPaused
    ? ['WITHDRAWALS_PAUSED', { error: 'signer unavailable' }]
    : ['INSUFFICIENT_BALANCE', { status: 'signed' }];
  expect(perp.body).toMatchObject({ error: { code: perpCode } });
  expect(spot.body).toMatchObject(spotAnswer);
  expect([perp.status, spot.status]).toEqual(isPaused ? [503, 500] : [400, 200]);
  return isPaused;
}

async function resume(): Promise<void> {
  const path = '/api/v1/admin/withdrawals/pause';
  const body = { paused: false };
  expect((await rig.service.call({ method: 'PUT', path, body, isAdmin: true })).status).toBe(200);
}

async function dfOf(change: Parameters<typeof check>[0] = {}) {
  const [df] = (await check(change)).tokens;
  if (df === undefined) throw new Error('the vault takes DF');
  return {
    held: formatAmount(df.held),
    owed: formatAmount(df.owed),
    unbacked: formatAmount(df.unbacked),
    isShort: df.isShort,
  };
}

async function withdraw(account: Address, amount: string): Promise<void> {
  const outcome = await requestWithdrawal(rig.parts, {
    address: account,
    token: 'DF',
    amount: requireDecimal(amount),
  });
  expect(outcome.kind).toBe('signed');
}

test('solvency: the vault holds what is owed at every step of deposits and withdrawals', async () => {
  const user = nextAddress();
  expect(await dfOf()).toEqual({ held: '0', owed: '0', unbacked: '0', isShort: false });
  held = 10n * oneDf + 1n;
  await rig.mine([deposited(user, 0, { rawAmount: held })]);
  const full = { held: '10', owed: '10', unbacked: '0', isShort: false };
  expect(await dfOf()).toEqual(full);
  await rig.newSettler().run();
  expect(await dfOf()).toEqual(full);
  await withdraw(user, '4');
  expect(await dfOf()).toEqual(full);
  held -= 4n * oneDf;
  await rig.mine([released(user, 0, 4n * oneDf)]);
  const paid = { ...full, held: '6', owed: '6' };
  expect(await dfOf()).toEqual(paid);
  await rig.newSettler().run();
  expect(await dfOf()).toEqual(paid);
});

test('solvency: a single missing unit is a shortage', async () => {
  held -= 10n ** 10n;
  expect(await dfOf()).toEqual({ held: '5.99999999', owed: '6', unbacked: '0', isShort: true });
  held += 10n ** 10n;
});

test('solvency: test credits are shown apart, and excused only where they are allowed', async () => {
  await nextUser(rig.service, { DF: '100' });
  const credited = { held: '6', owed: '106', unbacked: '100', isShort: false };
  expect(await dfOf()).toEqual(credited);
  const strict = { ...credited, unbacked: '0', isShort: true };
  expect(await dfOf({ areCreditsExcused: false })).toEqual(strict);
});

test('solvency: the reward router has to hold what is settled and not redeemed', async () => {
  expect((await check()).rewards).toEqual({ held: 5n, owed: 5n, isShort: false });
  const { rewards } = await check({ rewardsHeld: toMicroUsdt(4n) });
  expect(rewards).toEqual({ held: 4n, owed: 5n, isShort: true });
});

// W4: the vault's balance of a token is at least what is owed of it, else withdrawals pause.

const tenthDf = oneDf / 10n;
// The smallest amount that the engine can represent.
const leastUnit = 10n ** 10n;

test('solvency: a sound vault pauses nothing, and test credits are no shortage', async () => {
  expect((await dfOf()).unbacked).toBe('100');
  expect(await runJob()).toEqual([]);
  // The reward router pays claims, not withdrawals.
  expect(await runJob({ rewardsHeld: toMicroUsdt(4n) })).toEqual([]);
  expect(await areRequestsPaused(await nextUser(rig.service, { DF: '1' }))).toBe(false);
});

test('solvency: a shortage pauses withdrawals of both wallets once, with an audit row', async () => {
  const user = await nextUser(rig.service, { DF: '1' });
  held -= tenthDf;
  expect(await runJob()).toEqual(['0.1 DF']);
  expect(await areRequestsPaused(user)).toBe(true);
  expect(await runJob()).toEqual([]);
  const rows = await rig.service.query((db) =>
    db.selectFrom('admin_audit').select(['action', 'detail', 'admin_actor']).execute(),
  );
  expect(rows.filter(({ action }) => action === 'pause_withdrawals')).toEqual([
    {
      action: 'pause_withdrawals',
      admin_actor: 'check_solvency',
      detail: { paused: true, shortage: { DF: '0.1' } },
    },
  ]);
  await resume();
});

test('solvency: a pause lifted despite a shortage returns only if the shortage grows', async () => {
  const user = await nextUser(rig.service, { DF: '1' });
  expect(await runJob()).toEqual([]);
  held -= leastUnit;
  expect(await runJob()).toEqual(['0.10000001 DF']);
  expect(await areRequestsPaused(user)).toBe(true);
  await resume();
  held += tenthDf;
  expect(await runJob()).toEqual([]);
  expect(await areRequestsPaused(user)).toBe(false);
});

test('solvency: a shortage that ends and returns pauses again', async () => {
  held += leastUnit;
  expect(await runJob()).toEqual([]);
  held -= tenthDf;
  expect(await runJob()).toEqual(['0.1 DF']);
  held += tenthDf;
  expect(await runJob()).toEqual([]);
  const user = await nextUser(rig.service, { DF: '1' });
  // What was found missing is for a person to look at, even when it is there again.
  expect(await areRequestsPaused(user)).toBe(true);
  await resume();
});

test('solvency: two checks in a row, or any number while blocks arrive, do not prove a shortage', async () => {
  held -= tenthDf;
  let looks = 0;
  const isGoneAfterTwo = async () => {
    looks += 1;
    if (looks === 2) held += tenthDf;
  };
  expect(await runJob({ onLook: isGoneAfterTwo })).toEqual([]);
  expect(looks).toBe(3);
  held -= tenthDf;
  expect(await runJob({ onLook: () => rig.mine() })).toEqual([]);
  expect(await runJob()).toEqual(['0.1 DF']);
  held += tenthDf;
  expect(await runJob()).toEqual([]);
});
