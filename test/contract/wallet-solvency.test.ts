import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChainHoldings } from '../../src/application/ports-chain.ts';
import { checkSolvency, type SolvencyReport } from '../../src/application/upkeep/check-solvency.ts';
import { requestWithdrawal } from '../../src/application/wallet/request-withdrawal.ts';
import { formatAmount } from '../../src/domain/amount.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { toMicroUsdt } from '../../src/domain/micro-usdt.ts';
import { requireDecimal } from '../support/scripted-exchange.ts';
import { nextAddress, nextUser } from '../support/spot-fixtures.ts';
import { dfToken } from '../support/wallet/scripted-vault.ts';
import { deposited, released, WalletRig } from '../support/wallet/wallet-rig.ts';

// What is owed follows the vault through every step between the chain and the engine.

const oneDf = 10n ** 18n;
let rig: WalletRig;
/** What the vault holds by the blocks that the test wrote. */
let held = 0n;

beforeAll(async () => {
  rig = await WalletRig.start();
});
afterAll(() => rig.close());

async function check(
  change: Partial<ChainHoldings> & { readonly areCreditsExcused?: boolean } = {},
): Promise<SolvencyReport> {
  const { areCreditsExcused = true, ...holdings } = change;
  const report = await checkSolvency({
    exchange: rig.parts.exchange,
    barrier: rig.parts.barrier,
    solvencyStore: rig.service.services.solvencyStore,
    areCreditsExcused,
    holdings: {
      loadHoldings: async (blockHash) => {
        expect(blockHash).toBe(rig.head.hash);
        const vault = [{ ...dfToken, rawAmount: held }];
        const [rewardsHeld, rewardsOwed] = [toMicroUsdt(5n), toMicroUsdt(5n)];
        return { vault, rewardsHeld, rewardsOwed, ...holdings };
      },
    },
  });
  if (report === null) throw new Error('blocks are counted');
  return report;
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

test('solvency: a unit that is missing is a shortage', async () => {
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
