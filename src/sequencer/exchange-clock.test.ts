import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FuturesFixture } from '../../test/support/futures-fixture.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { addressOf } from '../../test/support/sequencer-address.ts';
import { createSequencer } from '../../test/support/sequencer-fixture.ts';
import { SimulatedClocks, startOfClocks } from '../../test/support/simulated-clocks.ts';
import type { TimestampMs } from '../domain/identifiers.ts';

const start = startOfClocks;
const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

describe('exchange time: advances with the monotonic clock, slewed towards the wall clock', () => {
  it('within 2 s it is slewed by at most 50 ms a second, forward and back', async () => {
    for (const [ahead, after10s, after60s] of [
      [1_900, 10_500, 61_900],
      [-1_900, 9_500, 58_100],
    ] as const) {
      const clocks = new SimulatedClocks();
      clocks.wallAhead = ahead;
      await clocks.run(10 * second);
      expect(clocks.stamp).toBe(after10s);
      await clocks.run(50 * second);
      expect(clocks.stamp).toBe(after60s);
      expect(clocks.messages).toEqual([]);
    }
  });

  it('one reading of + 24 h: no stamp changes', async () => {
    const clocks = new SimulatedClocks();
    const true_ = new SimulatedClocks();
    for (let at = 0; at < 10; at += 1) {
      await clocks.run(second);
      await true_.run(second);
      clocks.wallAhead = at === 4 ? day : 0;
      expect(clocks.stamp).toBe(true_.stamp);
    }
    expect(clocks.clock.jumps).toBe(1);
  });

  it('after one reading of + 24 h an index pushed 61 s ago is stale', async () => {
    const clocks = new SimulatedClocks();
    const futures = new FuturesFixture();
    futures.now = clocks.clock.now();
    const alice = futures.fund(1, 1_000);
    futures.setIndex(30_000);
    clocks.wallAhead = day;
    futures.now = clocks.clock.now();
    futures.done({ type: 'advanceTime' });
    clocks.wallAhead = 0;
    await clocks.run(61 * second);
    futures.now = clocks.clock.now();
    expect(futures.refusal(futures.order(alice, 'buy', { quantity: 0.1 }))).toBe(
      'index_price_stale',
    );
  });

  it('a wall clock further ahead is followed after 60 s, and only if the database agrees', async () => {
    const clocks = new SimulatedClocks();
    clocks.wallAhead = hour;
    clocks.databaseAhead = hour;
    await clocks.run(60 * second);
    expect(clocks.stamp).toBe(60 * second);
    expect(clocks.messages).toEqual(['clock jump: the wall clock is ahead of the elapsed time']);
    await clocks.run(second);
    expect(clocks.stamp).toBe(hour + 61 * second);
    expect(clocks.messages.at(-1)).toBe(
      "exchange time follows the wall clock, as the database's agrees",
    );
  });

  it.each([
    [0, "clock jump: the database's clock disagrees"],
    [null, 'clock jump: the wall clock is ahead of the elapsed time'],
  ])('a wall clock ahead is not followed while the database says %s', async (says, message) => {
    const clocks = new SimulatedClocks();
    clocks.wallAhead = day;
    clocks.databaseAhead = says;
    await clocks.run(10 * 60 * second);
    expect(clocks.stamp).toBe(10 * 60 * second);
    expect(clocks.messages.at(-1)).toBe(message);
    clocks.wallAhead = 0;
    await clocks.run(second);
    expect(clocks.stamp).toBe(10 * 60 * second + second);
  });

  it('a database that disagrees is reported once for each jump', async () => {
    const clocks = new SimulatedClocks();
    const disagreements = (): number =>
      clocks.messages.filter((message) => message.includes("database's clock disagrees")).length;
    clocks.wallAhead = day;
    await clocks.run(90 * second);
    expect(disagreements()).toBe(1);
    clocks.wallAhead = 2 * day;
    await clocks.run(90 * second);
    expect(disagreements()).toBe(2);
  });

  it.each([
    [hour - 2 * second, hour],
    [hour + 2 * second, hour],
    [hour - 2 * second - 1, 0],
    [hour + 2 * second + 1, 0],
  ])('a database that is %d ms ahead agrees with one hour within 2 s', async (says, followed) => {
    const clocks = new SimulatedClocks();
    clocks.wallAhead = hour;
    clocks.databaseAhead = says;
    await clocks.run(61 * second);
    expect(clocks.stamp).toBe(61 * second + followed);
  });

  it('an answer of the database counts only for the jump that it was asked about', async () => {
    const clocks = new SimulatedClocks();
    clocks.wallAhead = hour;
    clocks.databaseAhead = hour;
    await clocks.run(60 * second);
    clocks.passed += second;
    const asked = clocks.clock.check();
    clocks.wallAhead = 0;
    await asked;
    expect(clocks.stamp).toBe(61 * second);
    expect(clocks.messages).toHaveLength(1);
  });

  it('a wall clock that returns restarts its 60 s', async () => {
    const clocks = new SimulatedClocks();
    clocks.databaseAhead = hour;
    for (let at = 0; at < 5; at += 1) {
      clocks.wallAhead = hour;
      await clocks.run(50 * second);
      clocks.wallAhead = 0;
      await clocks.run(second);
    }
    expect(clocks.stamp).toBe(clocks.passed);
    expect(clocks.clock.jumps).toBe(5);
  });

  it('time that is ahead advances at half speed until the wall clock has caught up', async () => {
    const clocks = new SimulatedClocks();
    await clocks.clock.begin((start + hour) as TimestampMs);
    await clocks.run(60 * second);
    expect(clocks.stamp).toBe(hour + 30 * second);
    expect(clocks.messages).toEqual([
      'clock jump: exchange time is ahead and advances at half speed',
    ]);
    await clocks.run(2 * hour);
    expect(clocks.stamp).toBe(clocks.passed);
  });

  it('a new owner whose predecessor was an hour ahead continues at half speed from its last stamp', async () => {
    const clocks = new SimulatedClocks();
    await clocks.run(10 * second);
    let last: number = start + hour;
    for (let at = 0; at < 60; at += 1) {
      await clocks.run(second);
      last = clocks.clock.now(last);
    }
    expect(last - start - hour).toBeGreaterThanOrEqual(29 * second);
    expect(last - start - hour).toBeLessThanOrEqual(30 * second);
  });
});

describe('exchange time: a start', () => {
  it('follows the wall clock if it is later than the last stamp and the database confirms it', async () => {
    const clocks = new SimulatedClocks();
    await clocks.clock.begin((start - day) as TimestampMs);
    expect(clocks.stamp).toBe(0);
  });

  it('continues from the last stamp until the database answers', async () => {
    const clocks = new SimulatedClocks();
    clocks.databaseAhead = null;
    await clocks.clock.begin((start - day) as TimestampMs);
    await clocks.run(10 * second);
    expect(clocks.stamp).toBe(10 * second - day);
    clocks.databaseAhead = 0;
    await clocks.run(second);
    expect(clocks.stamp).toBe(11 * second);
  });

  it('does not follow a wall clock that the database contradicts', async () => {
    const clocks = new SimulatedClocks();
    clocks.wallAhead = day;
    await clocks.clock.begin(start);
    await clocks.run(10 * 60 * second);
    expect(clocks.stamp).toBe(10 * 60 * second);
    expect(clocks.messages).toContain("clock jump: the database's clock disagrees");
  });

  it('a clock that was a day ahead at the last stop delays nothing for longer than a minute', async () => {
    const disk = new MemoryDisk();
    const first = createSequencer('/journal', { disk, clock: { now: () => start + day } });
    await first.sequencer.start();
    await first.sequencer.submit({ type: 'openAccount', address: addressOf(1) });
    await first.sequencer.stop();
    const clocks = new SimulatedClocks();
    const again = createSequencer('/journal', { disk, clock: clocks.clock });
    await again.sequencer.start();
    await clocks.run(120 * second);
    const { timestamp } = await again.sequencer.submit({
      type: 'openAccount',
      address: addressOf(2),
    });
    // What is due within a minute by the exchange's time is done within two.
    expect(timestamp).toBe(start + day + 60 * second);
  });
});

it('exchange time: whatever the clocks do, it advances at half speed at least, and never jumps', () => {
  const step = fc.record({
    passMs: fc.integer({ min: 0, max: 5 * second }),
    wallAhead: fc.oneof(
      fc.constant(0),
      fc.integer({ min: -3 * second, max: 3 * second }),
      fc.integer({ min: -day, max: day }),
    ),
  });
  const run = (steps: readonly { passMs: number; wallAhead: number }[]): void => {
    const clocks = new SimulatedClocks();
    clocks.databaseAhead = null;
    let last = clocks.stamp;
    for (const { passMs, wallAhead } of steps) {
      clocks.passed += passMs;
      clocks.wallAhead = wallAhead;
      const { stamp } = clocks;
      expect(stamp - last).toBeGreaterThanOrEqual(Math.floor(passMs / 2) - 1);
      expect(stamp - last).toBeLessThanOrEqual(Math.ceil(passMs * 1.05) + 1);
      last = stamp;
    }
  };
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), run));
});
