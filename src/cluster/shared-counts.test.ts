import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryHub } from '../../test/support/memory-transport.ts';
import { RequestLimiter, type SharedCountsMessage } from '../gateway/http/request-limiter.ts';
import { SharedCounts } from './shared-counts.ts';

const limits = {
  requestWeightPerMinute: 1_000,
  ordersPerTenSeconds: 300,
  ordersPerMinute: 1_200,
  signInsPerMinute: 10,
  signingsPerMinute: 5,
};
const clock = { now: 0 };

/** A process with its own limiter, whose 100 ms pass when the test says so. */
class CountingProcess {
  readonly limiter = new RequestLimiter(limits, () => clock.now);
  readonly #counts = new SharedCounts<SharedCountsMessage>({
    every: (periodMs, callback) => {
      expect(periodMs).toBe(100);
      this.tell = callback;
      return () => {
        this.tell = () => undefined;
      };
    },
  });
  tell: () => void = () => undefined;

  async join(hub: MemoryHub, process: string): Promise<void> {
    const joined = await hub.transport().connect({ process } as never);
    this.#counts.use(this.limiter);
    this.#counts.attach(joined.countsLink!, process);
  }
}

let processes: readonly CountingProcess[];

beforeEach(async () => {
  clock.now = 1_800_000_000_000;
  const hub = new MemoryHub();
  processes = ['first', 'second', 'third'].map(() => new CountingProcess());
  for (const [index, each] of processes.entries()) await each.join(hub, `process ${index}`);
});
afterEach(() => {
  for (const each of processes) each.tell();
});

/** A client that uses the processes in turn until one refuses; all report after each round. */
function allowed(use: (limiter: RequestLimiter) => boolean): number {
  for (let count = 0; count < 10_000; count += 1) {
    const { limiter } = processes[count % processes.length]!;
    if (!use(limiter)) return count;
    if (count % processes.length === 0) for (const each of processes) each.tell();
  }
  return Infinity;
}

describe('limits of all processes', () => {
  // What is counted since the last message is not known elsewhere.
  const unknown = 2;
  // Each other process may keep a twentieth of the limit unreported.
  const upTo = (limit: number): number => limit + unknown + (2 * limit) / 20;

  const rows: readonly (readonly [string, number, (limiter: RequestLimiter) => boolean])[] = [
    ['orders of an account', 300, (each) => each.useOrders('0xa').over === null],
    [
      'orders of the fast lane',
      300,
      (each) => each.useForOrder('10.0.0.1', 'key', '0xa', 1) !== null,
    ],
    ['an address', 1_000, (each) => each.useWeight('10.0.0.1', 1).retryAfterSeconds === null],
    ['a key', 1_000, (each) => each.useKeyWeight('key', 1).retryAfterSeconds === null],
    ['sign-ins', 10, (each) => each.useSignIn('10.0.0.1').retryAfterSeconds === null],
    ['signatures', 5, (each) => each.useSigning('0xa').retryAfterSeconds === null],
    ['stream messages', 10_000, (each) => each.useStreams('10.0.0.1', 10)],
  ];
  for (const [name, limit, use] of rows) {
    it(`${name}: a client that spreads over three processes gets no more than at one`, () => {
      const units = name === 'stream messages' ? limit / 10 : limit;
      const count = allowed(use);
      expect(count).toBeGreaterThanOrEqual(units);
      expect(count).toBeLessThanOrEqual(upTo(units));
    });
  }

  it('a message that is lost is made up for by the next, and a repeated one counts once', () => {
    const [first, second] = processes;
    for (let count = 0; count < 100; count += 1) first!.limiter.useOrders('0xa');
    const lost = first!.limiter.takeChanged();
    expect(lost).not.toBeNull();
    first!.limiter.useOrders('0xa');
    const next = first!.limiter.takeChanged()!;
    second!.limiter.note('process 0', next);
    second!.limiter.note('process 0', next);
    second!.limiter.note('process 0', lost!);
    expect(second!.limiter.useOrders('0xa').inTenSeconds).toBe(102);
  });

  it('a new window begins without the counts of the previous one', () => {
    const [first, second] = processes;
    for (let count = 0; count < 300; count += 1) first!.limiter.useOrders('0xa');
    first!.tell();
    expect(second!.limiter.useOrders('0xa').over).not.toBeNull();
    clock.now += 10_000;
    expect(second!.limiter.useOrders('0xa')).toMatchObject({ inTenSeconds: 1, over: null });
  });

  it('a ban counts at every process', () => {
    const [first, second] = processes;
    for (let count = 0; count < 1_200; count += 1) first!.limiter.useWeight('10.0.0.1', 1);
    expect(first!.limiter.useWeight('10.0.0.1', 1).isBanned).toBe(true);
    first!.tell();
    expect(second!.limiter.useWeight('10.0.0.1', 1)).toMatchObject({
      isBanned: true,
      retryAfterSeconds: 120,
    });
    expect(second!.limiter.useWeight('10.0.0.2', 1).isBanned).toBe(false);
  });

  it('an address that all processes ban for the same requests is banned once', () => {
    const [first, second, third] = processes;
    for (let count = 0; count <= 1_100; count += 1) {
      for (const { limiter } of processes) {
        limiter.useWeight('10.0.0.1', 1);
        clock.now += 1;
      }
    }
    for (const each of processes) each.tell();
    clock.now += 2 * 120_000;
    for (let count = 0; count <= 1_101; count += 1) first!.limiter.useWeight('10.0.0.1', 1);
    first!.tell();
    for (const { limiter } of [first!, second!, third!]) {
      expect(limiter.useWeight('10.0.0.1', 1)).toMatchObject({
        isBanned: true,
        retryAfterSeconds: 240,
      });
    }
  });

  it('a process whose clock is ahead hides no counts of the others', () => {
    const [first, second] = processes;
    const used = first!.limiter;
    for (let count = 0; count < 300; count += 1) used.useOrders('0xa');
    const told = used.takeChanged()!;
    const later = { window: told.counts.ordersMinute!.window + 2, totals: [['0xb', 9]] as const };
    second!.limiter.note('ahead', { counts: { ordersMinute: later }, bans: [] });
    second!.limiter.note('process 0', told);
    expect(second!.limiter.useOrders('0xa')).toMatchObject({ inTenSeconds: 301, inMinute: 301 });
  });

  it('clients below a twentieth of their limits are not reported', () => {
    const [first] = processes;
    for (let count = 0; count < 15; count += 1) first!.limiter.useOrders(`0x${count % 2}`);
    expect(first!.limiter.takeChanged()).toBeNull();
  });

  it('one message holds at most 5,000 counts, and further messages hold the rest', () => {
    const { limiter } = processes[0]!;
    for (let count = 0; count < 12_000; count += 1) limiter.useWeight(`key ${count}`, 60);
    const told = [1, 2, 3, 4].map(
      () => limiter.takeChanged()?.counts.weights?.totals.length ?? null,
    );
    expect(told).toEqual([5_000, 5_000, 2_000, null]);
  });
});
