import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../test/simulation/claims/world.ts';
import { ClaimTwin } from '../../../test/support/claims/claim-twin.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { expectSumsToMatch } from '../../../test/support/referral-sums.ts';

// Random lives of one account's commission, in the tables and on plain arrays: earning, settling,
// claiming, redeeming orders and bare signatures, expiry, retries, failed settlements, and chains
// that take blocks back.

let test: TestDatabase;
beforeEach(async () => {
  test = await openTestDatabase();
});
afterEach(() => test.close());

interface Block {
  readonly seconds: number;
  readonly events: readonly ModelEvent[];
}

/** The contract, as the blocks so far make it. */
class PlainChain {
  readonly blocks: Block[] = [{ seconds: 1_000, events: [] }];
  seconds = 1_000;

  get state() {
    let [settled, claimed, nonce] = [0n, 0n, 0];
    for (const event of this.blocks.flatMap(({ events }) => events)) {
      if (event.kind === 'settled') settled = event.total > settled ? event.total : settled;
      else {
        claimed += event.amount;
        nonce += 1;
      }
    }
    return { settled, claimed, nonce };
  }

  /** The block's number. */
  mine(events: readonly ModelEvent[]): number {
    this.seconds += 12;
    this.blocks.push({ seconds: this.seconds, events });
    return this.blocks.length - 1;
  }
}

function generator(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * limit);
  };
}

class Life {
  readonly twin: ClaimTwin;
  readonly chain = new PlainChain();
  readonly #draw: (limit: number) => number;
  readonly seen = new Map<string, number>();

  constructor(twin: ClaimTwin, seed: number) {
    this.twin = twin;
    this.#draw = generator(seed);
  }

  /** False if the chain contradicts the database, which ends this life. */
  async step(): Promise<boolean> {
    const steps = [
      () => this.#earn(),
      () => this.#earn(),
      () => this.#plan(),
      () => this.#settle(),
      () => this.#settle(),
      () => this.#claim(),
      () => this.#claim(),
      () => this.#redeemOrder(),
      () => this.#redeemOrder(),
      () => this.#redeemBare(),
      () => this.#expire(),
      () => this.#retry(),
      () => this.#failSettlement(),
      () => this.#reorganize(),
    ];
    const step = steps[this.#draw(steps.length)] ?? (() => this.#earn());
    return step();
  }

  #note(what: string): true {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
    return true;
  }

  get #terms() {
    return { chainNonce: this.chain.state.nonce, deadline: this.chain.seconds + 60 };
  }

  async #earn(): Promise<boolean> {
    await this.twin.earn(BigInt(1 + this.#draw(9)));
    return this.#note('earned');
  }

  async #plan(): Promise<boolean> {
    await this.twin.planBatch();
    return this.#note('planned');
  }

  async #settle(): Promise<boolean> {
    const open = this.twin.model.batches.filter(({ isOpen }) => isOpen);
    const batch = open[this.#draw(open.length)];
    if (batch === undefined) return true;
    const { settled } = this.chain.state;
    const total = batch.amount > settled ? batch.amount : settled;
    this.#note('settled');
    return this.#mine([{ kind: 'settled', total }]);
  }

  async #claim(): Promise<boolean> {
    const refusal = await this.twin.claim(this.#terms);
    return this.#note(refusal ?? 'claimed');
  }

  async #retry(): Promise<boolean> {
    const failed = this.twin.model.book.claims.filter(({ status }) => status === 'failed');
    const claim = failed[this.#draw(failed.length)];
    if (claim === undefined) return true;
    const refusal = await this.twin.retry(claim, this.#terms);
    return this.#note(`retry ${refusal ?? 'taken'}`);
  }

  async #redeemOrder(): Promise<boolean> {
    const order = this.twin.model.book.claims.find(({ status }) => status === 'processing');
    if (order === undefined) return true;
    return this.#redeem(order.nonce, order.amount, 'redeemed');
  }

  async #redeemBare(): Promise<boolean> {
    const { claimed, nonce, settled } = this.chain.state;
    const available = settled - claimed;
    if (available === 0n) return true;
    const amount = 1n + BigInt(this.#draw(Number(available)));
    return this.#redeem(nonce, amount, 'redeemed without an order');
  }

  // The contract takes only its present nonce and no more than is settled.
  async #redeem(nonce: number, amount: bigint, what: string): Promise<boolean> {
    const state = this.chain.state;
    if (nonce !== state.nonce || amount > state.settled - state.claimed) return true;
    this.#note(what);
    return this.#mine([{ kind: 'redeemed', nonce, amount }]);
  }

  async #expire(): Promise<boolean> {
    this.chain.seconds += 120;
    this.#note('deadlines passed');
    return this.#mine([]);
  }

  async #failSettlement(): Promise<boolean> {
    const open = this.twin.model.batches.filter(({ isOpen }) => isOpen);
    // With two open batches of one account attempts are counted for both; one is the usual case.
    const [batch] = open;
    if (batch === undefined || open.length > 1) return true;
    await this.twin.countAttempt(batch.batch);
    return this.#note('attempt failed');
  }

  async #reorganize(): Promise<boolean> {
    const depth = 1 + this.#draw(3);
    if (this.chain.blocks.length <= depth) return true;
    this.chain.blocks.splice(-depth);
    await this.twin.rollBack(this.chain.blocks.length - 1);
    return this.#note('reorganized');
  }

  async #mine(events: readonly ModelEvent[]): Promise<boolean> {
    const number = this.chain.mine(events);
    return this.twin.count(number, this.chain.seconds, events);
  }
}

const seen = new Map<string, number>();

describe('claims in the database', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'claims: the tables follow the plain arrays through every event (seed %i)',
    async (seed) => {
      const twin = new ClaimTwin(test.database.rewards);
      await twin.open();
      const life = new Life(twin, seed);
      for (let step = 0; step < 120; step += 1) {
        if (!(await life.step())) break;
        await twin.expectSame();
        if (step % 10 === 0) await expectSumsToMatch(test.database.rewards);
      }
      await expectSumsToMatch(test.database.rewards);
      for (const [what, count] of life.seen) seen.set(what, (seen.get(what) ?? 0) + count);
    },
  );

  it('claims: the random histories covered every kind of event', () => {
    const missing = [
      'claimed',
      'claim_already_processing',
      'no_claimable',
      'claim_below_minimum',
      'redeemed',
      'redeemed without an order',
      'deadlines passed',
      'retry taken',
      'retry no_claimable',
      'retry claim_already_processing',
      'attempt failed',
      'reorganized',
    ].filter((what) => !seen.has(what));
    expect(missing).toEqual([]);
  });
});
