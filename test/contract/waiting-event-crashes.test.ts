import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type EventEnd,
  resolveEvent,
  resolvingText,
  type WaitingEventPorts,
} from '../../src/application/admin/waiting-events.ts';
import { requireDecimal } from '../../src/domain/decimal.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { findViolations } from '../../src/engine/invariants.ts';
import { balancesOf, nextAddress } from '../support/spot-fixtures.ts';
import { CrashPoints, survives } from '../support/wallet/crash-points.ts';
import { alice, bob, chainId, startReviewRig } from '../support/wallet/review-rig.ts';
import { deposited, released, type WalletRig } from '../support/wallet/wallet-rig.ts';

// Each end of an event that waits is cut off at each of its steps, before it and right after it,
// and the service starts again with nothing but the journal and the database.

const stepsMax = 24;
const unknown = `0x${'99'.repeat(20)}` as Address;
const coin = 10n ** 18n;
const reason = 'settled with its owner';
const undisturbed = () => new CrashPoints(-1, 'before');

const ends = {
  credit_as: { action: 'credit_as', token: 'USDT', amount: requireDecimal('1.5') },
  return: { action: 'return' },
  write_off: { action: 'write_off' },
} as const satisfies Record<string, EventEnd>;

let rig: WalletRig;
beforeAll(async () => {
  rig = await startReviewRig();
});
afterAll(() => rig.close());

/** The ports of a process that dies there. */
function dying(crash: CrashPoints): WaitingEventPorts {
  const ports = crash.wrap(rig.parts);
  const events = crash.wrapEvents(rig.eventPorts.events);
  return { ...rig.eventPorts, events, settler: rig.newSettler(ports) };
}

async function resolve(id: string, end: EventEnd, crash = undisturbed()) {
  const event = await rig.eventPorts.events.find(id);
  if (event === null) return null;
  const message = resolvingText(chainId, event, { end, reason });
  const approvals = await Promise.all(
    [alice, bob].map((person) => person.signMessage({ message })),
  );
  const resolution = { id, end, reason, approvals };
  return survives(() => resolveEvent(dying(crash), resolution));
}

async function restart(): Promise<void> {
  await rig.newSettler().run();
  await rig.newSettler().run();
  expect(findViolations(rig.service.exchange.engine as Engine)).toEqual([]);
}

async function waiting(account: Address) {
  return rig.eventPorts.events.list({
    account,
    contract: null,
    type: null,
    after: null,
    limit: 100,
  });
}

async function count(query: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await rig.service.query((db) => query.execute(db));
  return Number((rows[0] as { count: unknown }).count);
}
const auditsOf = (account: Address) =>
  count(sql`SELECT count(*) FROM admin_audit
    WHERE action = 'resolve_chain_event' AND detail->>'account' = ${account}`);
const returnsOf = (account: Address) =>
  count(sql`SELECT count(*) FROM withdrawals
    WHERE account = ${account} AND returned_deposit IS NOT NULL`);

async function atEachStep(round: (crash: CrashPoints) => Promise<boolean>): Promise<void> {
  for (const moment of ['before', 'after'] as const) {
    let isWhole = false;
    for (let step = 0; step < stepsMax && !isWhole; step += 1) {
      isWhole = await round(new CrashPoints(step, moment));
    }
    expect(isWhole).toBe(true);
  }
}

async function strandedUser() {
  const account = nextAddress();
  await rig.mine([deposited(account, 0, { token: unknown, rawAmount: 2n * coin })]);
  await rig.newSettler().run();
  const [event] = await waiting(account);
  return { account, id: event?.id ?? '' };
}

test.each(Object.values(ends))(
  '$action: after a restart it has ended once with one audit row, or waits',
  async (end) => {
    await atEachStep(async (crash) => {
      const { account, id } = await strandedUser();
      const isWhole = (await resolve(id, end, crash)) === true;
      await restart();
      const stillWaits = (await waiting(account)).length > 0;
      if (isWhole) expect(stillWaits).toBe(false);
      expect(await auditsOf(account)).toBe(stillWaits ? 0 : 1);
      // A second request ends it, and nothing is credited twice.
      await resolve(id, end);
      await restart();
      expect(await waiting(account)).toEqual([]);
      expect(await auditsOf(account)).toBe(1);
      expect(await returnsOf(account)).toBe(end.action === 'return' ? 1 : 0);
      const balances = end.action === 'credit_as' ? { USDT: '1.5 0' } : {};
      const shown = Object.entries(await balancesOf(rig.service, account));
      expect(Object.fromEntries(shown.filter(([, value]) => value !== '0 0'))).toEqual(balances);
      return isWhole;
    });
  },
);

test('link: after a restart the release is the payment once, or the event waits', async () => {
  await atEachStep(async (crash) => {
    const { account, withdrawalId } = await expiredWithdrawal();
    await rig.mine([released(account, 4, 3n * coin)], seconds);
    const [event] = await waiting(account);
    const end = { action: 'link', withdrawalId } as const;
    const isWhole = (await resolve(event?.id ?? '', end, crash)) === true;
    await restart();
    const stillWaits = (await waiting(account)).length > 0;
    expect((await balancesOf(rig.service, account))['DF']).toBe(stillWaits ? '10 0' : '7 0');
    await resolve(event?.id ?? '', end);
    await restart();
    expect((await balancesOf(rig.service, account))['DF']).toBe('7 0');
    return isWhole;
  });
});

let seconds = 2_000_000_000;
async function expiredWithdrawal() {
  const account = nextAddress();
  await rig.mine([deposited(account, 0, { rawAmount: 10n * coin })]);
  await rig.newSettler().run();
  rig.laterMs = 2 * 86_400_000;
  const answer = await rig.service.call({
    method: 'POST',
    path: '/api/v1/spot/withdraw/request',
    as: account,
    body: { token: 'DF', amount: '3' },
  });
  seconds += 1;
  await rig.mine([], seconds);
  await rig.newSettler().run();
  return { account, withdrawalId: (answer.body as { id: string }).id };
}

test('property: every deposit ends exactly once, whatever is decided and wherever it is cut off', async () => {
  const step = fc.record({
    isKnown: fc.boolean(),
    rawAmount: fc.bigInt({ min: 1n, max: 9n * coin }),
    end: fc.constantFrom<keyof typeof ends>('credit_as', 'return', 'write_off'),
    dieAt: fc.integer({ min: -1, max: 6 }),
    moment: fc.constantFrom('before' as const, 'after' as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const account = nextAddress();
      await rig.mine(
        steps.map(({ isKnown, rawAmount }, number) =>
          deposited(account, number, isKnown ? { rawAmount } : { rawAmount, token: unknown }),
        ),
      );
      await rig.newSettler().run();
      const owed = { DF: 0n, USDT: 0n };
      let returns = 0;
      for (const { isKnown, rawAmount, end, dieAt, moment } of steps) {
        if (isKnown) {
          owed.DF += rawAmount / 10n ** 10n;
          continue;
        }
        const [event] = await waiting(account);
        const chosen = mayEndSo(end, rawAmount) ? ends[end] : ends.write_off;
        await resolve(event?.id ?? '', chosen, new CrashPoints(dieAt, moment));
        await restart();
        await resolve(event?.id ?? '', chosen);
        await restart();
        if (chosen.action === 'credit_as') owed.USDT += 150_000_000n;
        if (chosen.action === 'return') returns += 1;
      }
      expect(await waiting(account)).toEqual([]);
      expect(await rig.parts.walletStore.hasUnsettled()).toBe(false);
      expect(await returnsOf(account)).toBe(returns);
      expect(await auditsOf(account)).toBe(steps.filter(({ isKnown }) => !isKnown).length);
      const { exchange } = rig.service;
      const held = exchange.peek((view) => {
        const id = view.findAccount(account);
        const balances = id === null ? [] : view.listBalances(id);
        return Object.fromEntries(
          balances.map(({ tokenId, available }) => [view.getTokenSymbol(tokenId), available]),
        );
      });
      expect({ DF: 0n, USDT: 0n, ...held }).toEqual(owed);
      expect(exchange.peek((view) => view.countDeposits(view.findAccount(account)!))).toBe(
        steps.length,
      );
    }),
    { numRuns: 12 },
  );
});

/** Two people would be refused this end: it is more than came, or nothing that could be sent. */
function mayEndSo(end: keyof typeof ends, rawAmount: bigint): boolean {
  if (end === 'credit_as') return rawAmount >= (3n * coin) / 2n;
  return end === 'write_off' || rawAmount >= 10n ** 10n;
}
