import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { DatabaseProxy } from '../../../test/support/database-proxy.ts';
import { silentLog } from '../../../test/support/database-url.ts';
import { MemoryOutcomeLog } from '../../../test/support/outcomes.ts';
import { flowAddress, SpotFlow } from '../../../test/support/spot-flow.ts';
import type { BalanceChange } from '../../application/ports/balance-feed.ts';
import type { AppliedCommand } from '../../application/ports/exchange.ts';
import { formatAmount, toAmount } from '../../domain/amount.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { createDatabaseServices, type DatabaseServices } from '../database-services.ts';
import { DatabaseBalanceFeed } from './balance-feed.ts';
import { NotificationListener } from './notification-listener.ts';

let test: TestDatabase;
let services: DatabaseServices;
let flow: SpotFlow;
let outcomes: MemoryOutcomeLog;

beforeEach(async () => {
  test = await openTestDatabase();
  flow = new SpotFlow({ seed: 5 });
  outcomes = new MemoryOutcomeLog();
  const { database } = test;
  services = createDatabaseServices({
    database,
    outcomes,
    journalEnd: () => outcomes.last,
    secretsKey: '0'.repeat(64),
  });
  services.start();
});
afterEach(async () => {
  await services.stop();
  await test.close();
});

function credit(account: number, amount: bigint): AppliedCommand {
  return flow.apply({
    type: 'creditBalance',
    address: flowAddress(account),
    token: 'USDT',
    amount: toAmount(amount),
    actor: 'admin_api_key',
    reason: null,
    reference: null,
  });
}

/** The last change of each token, which is what a client ends up with. */
function lastOf(changes: readonly BalanceChange[]): Record<string, readonly string[]> {
  return Object.fromEntries(
    changes.map(({ token, available, locked }) => [token, [available, locked]]),
  );
}

function liveBalances(account: number): Record<string, readonly string[]> {
  const balances = flow.engine.listBalances(account as AccountId);
  return Object.fromEntries(
    balances.map(({ tokenId, available, locked }) => [
      flow.engine.getTokenSymbol(tokenId),
      [formatAmount(available), formatAmount(locked)],
    ]),
  );
}

describe('DatabaseBalanceFeed', () => {
  it('balance feed: a credit is pushed to its address alone, with decimal texts', async () => {
    outcomes.append(...flow.open());
    await services.barrier.waitFor(outcomes.last);
    const own: BalanceChange[] = [];
    const foreign: BalanceChange[] = [];
    services.balances.subscribe(flowAddress(1), (changes) => own.push(...changes));
    services.balances.subscribe(flowAddress(2), (changes) => foreign.push(...changes));
    const credited = credit(1, 1n);
    const { sequence } = credited;
    outcomes.append(credited);
    await vi.waitFor(() => expect(own.at(-1)?.sequence).toBe(sequence));
    expect(own.at(-1)).toEqual({
      market: 'spot',
      address: flowAddress(1),
      token: 'USDT',
      available: '1000000.00000001',
      locked: '0',
      sequence,
    });
    expect(foreign.filter((change) => change.sequence === sequence)).toEqual([]);
  });

  it('balance feed: a transfer is pushed for both wallets, with reserved amounts as locked', async () => {
    outcomes.append(...flow.open());
    await services.barrier.waitFor(outcomes.last);
    const own: BalanceChange[] = [];
    services.balances.subscribe(flowAddress(1), (changes) => own.push(...changes));
    const accountId = 1 as AccountId;
    const transfer = { type: 'transferFunds', accountId, clientTransferId: null } as const;
    const amount = toAmount(25n * 10n ** 8n);
    const moved = flow.apply({ ...transfer, direction: 'spot_to_perp', amount });
    const set = { type: 'reservePerpFunds', accountId, step: 'reserve', reference: 'W1' } as const;
    const reserved = flow.apply({ ...set, amount: toAmount(10n ** 8n) });
    outcomes.append(moved, reserved);
    await vi.waitFor(() => expect(own.at(-1)?.sequence).toBe(reserved.sequence));
    const last = new Map(own.map((change) => [change.market, change]));
    expect(last.get('spot')).toMatchObject({ available: '999975', sequence: moved.sequence });
    expect(last.get('futures')).toMatchObject({ token: 'USDT', available: '24', locked: '1' });
  });

  it('balance feed: under trading every subscriber ends at the live balances', async () => {
    const seen = new Map<number, BalanceChange[]>();
    for (let account = 1; account <= flow.accounts; account += 1) {
      const changes: BalanceChange[] = [];
      seen.set(account, changes);
      services.balances.subscribe(flowAddress(account), (more) => changes.push(...more));
    }
    outcomes.append(...flow.open());
    for (let round = 0; round < 20; round += 1) outcomes.append(...flow.trade(20));
    await vi.waitFor(() => {
      for (const [account, changes] of seen) {
        expect(lastOf(changes)).toEqual(liveBalances(account));
      }
    });
    for (const changes of seen.values()) {
      for (const token of ['USDT', 'BTC', 'DF']) {
        const sequences = changes.filter((change) => change.token === token);
        const numbers = sequences.map((change) => change.sequence);
        expect(new Set(numbers).size).toBe(numbers.length);
        expect([...numbers].sort((left, right) => left - right)).toEqual(numbers);
      }
    }
  });

  it('balance feed: a change whose notification was lost arrives after the reconnection', async () => {
    const proxy = await DatabaseProxy.open(test.url);
    const feed = new DatabaseBalanceFeed(test.database.reads, silentLog);
    const listener = new NotificationListener(proxy.target, silentLog);
    listener.add(feed);
    let connections = 0;
    let isListening = false;
    listener.add({
      channel: 'openbourse_projected',
      onNotification: () => undefined,
      onConnected: () => {
        connections += 1;
        isListening = true;
      },
      onDisconnected: () => {
        isListening = false;
      },
    });
    listener.start();
    const changes: BalanceChange[] = [];
    feed.subscribe(flowAddress(1), (more) => changes.push(...more));
    outcomes.append(...flow.open());
    await vi.waitFor(() => expect(lastOf(changes)).toEqual(liveBalances(1)));

    // The server is unreachable while the credit is committed and announced.
    proxy.judge = () => 'cut';
    proxy.cutAll();
    await vi.waitFor(() => expect(isListening).toBe(false));
    outcomes.append(credit(1, 500_000_000n));
    await services.barrier.waitFor(outcomes.last);
    expect(lastOf(changes)['USDT']?.[0]).toBe('1000000');
    proxy.judge = () => 'forward';
    await vi.waitFor(() => expect(lastOf(changes)).toEqual(liveBalances(1)));
    expect(connections).toBe(2);
    expect(lastOf(changes)['USDT']?.[0]).toBe('1000005');
    await listener.stop();
    await feed.stop();
    await proxy.close();
  });

  it('balance feed: nothing more arrives after the subscription has ended', async () => {
    const ended: BalanceChange[] = [];
    const kept: BalanceChange[] = [];
    const end = services.balances.subscribe(flowAddress(1), (changes) => ended.push(...changes));
    services.balances.subscribe(flowAddress(1), (changes) => kept.push(...changes));
    outcomes.append(...flow.open());
    await vi.waitFor(() => expect(ended.length).toBeGreaterThan(0));
    await vi.waitFor(() => expect(lastOf(kept)).toEqual(liveBalances(1)));
    end();
    const countBefore = ended.length;
    outcomes.append(credit(1, 7n));
    await vi.waitFor(() => expect(lastOf(kept)).toEqual(liveBalances(1)));
    expect(ended).toHaveLength(countBefore);
  });
});
