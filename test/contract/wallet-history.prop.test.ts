import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChainEvent } from '../../src/application/ports/chain-ledger.ts';
import { requestWithdrawal } from '../../src/application/wallet/request-withdrawal.ts';
import { requireDecimal } from '../../src/domain/decimal.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import type { EngineAudit } from '../../src/engine/audit-view.ts';
import { findViolations } from '../../src/engine/invariants.ts';
import { balancesOf, nextUser } from '../support/spot-fixtures.ts';
import { CrashPoints, survives } from '../support/wallet/crash-points.ts';
import { deposited, released, WalletRig } from '../support/wallet/wallet-rig.ts';

// Requests, releases, deposits, reorganizations, time and crashes, shuffled. Whatever happens,
// what the account has here and what it took out on chain is what it brought in.

const oneDf = 10n ** 18n;
const lifetimeSeconds = 3_600;

type Step =
  | { readonly kind: 'request'; readonly dieAt: number }
  | { readonly kind: 'settle'; readonly dieAt: number }
  | { readonly kind: 'deposit' | 'release' | 'block' | 'leap' }
  | { readonly kind: 'fork'; readonly depth: number };

const dieAt = fc.oneof(
  { weight: 2, arbitrary: fc.constant(-1) },
  { weight: 1, arbitrary: fc.nat({ max: 8 }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('request' as const), dieAt }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('settle' as const), dieAt }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('deposit' as const, 'release', 'release', 'block', 'leap'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fork' as const),
      depth: fc.integer({ min: 1, max: 3 }),
    }),
  },
);

let rig: WalletRig;
let seconds = 1_000_000;
beforeAll(async () => {
  rig = await WalletRig.start();
});
afterAll(() => rig.close());

interface ChainState {
  readonly nonce: number;
  readonly deposits: number;
  readonly taken: bigint;
}

/** One account's chain: what the vault would do, block by block. */
class Story {
  readonly user: Address;
  /** The state after each block that may still be left; the first may not. */
  readonly #states: ChainState[] = [{ nonce: 0, deposits: 0, taken: 0n }];
  /** The most deposits that were ever counted: what is credited stays credited. */
  depositsSeen = 0;

  constructor(user: Address) {
    this.user = user;
  }

  get chain(): ChainState {
    const state = this.#states.at(-1);
    if (state === undefined) throw new Error('there is always a state');
    return state;
  }

  async take(each: Step): Promise<void> {
    switch (each.kind) {
      case 'request':
        return this.#request(each.dieAt);
      case 'settle': {
        const crash = new CrashPoints(each.dieAt, each.dieAt % 2 === 0 ? 'after' : 'before');
        await survives(() => rig.newSettler(crash.wrap(rig.parts)).run());
        return;
      }
      case 'deposit':
        await this.#mine(deposited(this.user, this.chain.deposits), {
          deposits: this.chain.deposits + 1,
        });
        return;
      case 'release':
        return this.#release();
      case 'block':
        await this.#mine(null, {});
        return;
      case 'leap':
        // What such a block proves is not taken back, as in any chain that is counted late enough.
        seconds += 2 * lifetimeSeconds;
        await this.#mine(null, {});
        this.#states.splice(0, this.#states.length - 1);
        return;
      case 'fork': {
        const depth = Math.min(each.depth, this.#states.length - 1);
        if (depth === 0) return;
        this.#states.splice(-depth);
        await rig.fork(depth);
        rig.vault.nonces.set(this.user, this.chain.nonce);
      }
    }
  }

  async #request(dieAtStep: number): Promise<void> {
    rig.vault.blockSeconds = seconds;
    const crash = new CrashPoints(dieAtStep, dieAtStep % 2 === 0 ? 'after' : 'before');
    const ports = crash.wrap(rig.parts);
    const withdrawal = { address: this.user, token: 'DF', amount: requireDecimal('2') };
    const walletSettler = rig.newSettler(ports);
    await survives(() => requestWithdrawal({ ...ports, walletSettler }, withdrawal));
  }

  /** Submits whatever signature the vault would accept now, seen by its owner or not. */
  async #release(): Promise<void> {
    const nonce = this.chain.nonce;
    const row = await rig.service.query((db) =>
      db
        .selectFrom('withdrawals')
        .select(['raw_amount'])
        .where('account', '=', this.user)
        .where('nonce', '=', String(nonce))
        .where('signature', 'is not', null)
        .where('deadline', '>', String(seconds))
        .orderBy('position', 'desc')
        .executeTakeFirst(),
    );
    if (row === undefined) return;
    const rawAmount = BigInt(row.raw_amount);
    await this.#mine(released(this.user, nonce, rawAmount), {
      nonce: nonce + 1,
      taken: this.chain.taken + rawAmount,
    });
  }

  async #mine(event: ChainEvent | null, change: Partial<ChainState>) {
    seconds += 1;
    const state = { ...this.chain, ...change };
    await rig.mine(event === null ? [] : [event], seconds);
    this.#states.push(state);
    this.depositsSeen = Math.max(this.depositsSeen, state.deposits);
    rig.vault.nonces.set(this.user, state.nonce);
  }
}

test('wallet: requests in any order with blocks, reorganizations and crashes neither lose nor create money', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
      const story = new Story(await nextUser(rig.service, { DF: '10' }));
      for (const each of steps) await story.take(each);
      // Deposits that were left behind by the chain come back.
      while (story.chain.deposits < story.depositsSeen) await story.take({ kind: 'deposit' });
      await rig.newSettler().run();
      await rig.newSettler().run();
      const [available, locked] = await fundsOf(story.user);
      const broughtIn = 10n * oneDf + BigInt(story.chain.deposits) * oneDf;
      expect(available + locked + story.chain.taken).toBe(broughtIn);
      expect(locked).toBe(await sumSigned(story.user));
      expect(findViolations(rig.service.exchange.engine as unknown as EngineAudit)).toEqual([]);
      expect(await rig.ledger.countParkedEvents()).toBe(0);
    }),
    { numRuns: 60 },
  );
});

async function fundsOf(user: Address): Promise<readonly [bigint, bigint]> {
  const { DF = '0 0' } = await balancesOf(rig.service, user);
  const [available = '0', locked = '0'] = DF.split(' ');
  return [requireDecimal(available), requireDecimal(locked)];
}

async function sumSigned(user: Address): Promise<bigint> {
  const rows = await rig.service.query((db) =>
    db
      .selectFrom('withdrawals')
      .select(['raw_amount'])
      .where('account', '=', user)
      .where('status', '=', 'signed')
      .execute(),
  );
  return rows.reduce((sum, row) => sum + BigInt(row.raw_amount), 0n);
}
