import { expect, it } from 'vitest';
import { FuturesFixture } from '../../test/support/futures-fixture.ts';
import { moveSilently } from '../../test/support/move-silently.ts';
import { engineFactory } from './engine.ts';
import { auditEngine } from './full-audit.ts';

it('full audit: a sound state passes; one that a restore changes does not', () => {
  const futures = new FuturesFixture();
  futures.fund(1, 1_000);
  futures.setIndex(30_000);
  const { engine } = futures;
  expect(engine.findBroken()).toEqual([]);
  const forgetful = { encodeState: () => engine.encodeState().with(20, 255) };
  expect(auditEngine(engine, () => forgetful)).toEqual([
    'state-canonical: a restored state has other bytes',
  ]);
});

it('ledger-recomputed: each cell equals the sum of its postings in a replay', () => {
  const futures = new FuturesFixture();
  futures.engine.recomputeLedger();
  const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
  futures.setIndex(30_000);
  futures.place(short, 'sell', { price: 30_000, quantity: 0.5 });
  futures.place(long, 'buy', { quantity: 0.5 });
  futures.place(short, 'buy', { price: 30_100, quantity: 0.3 });
  futures.place(long, 'sell', { price: 30_100, quantity: 0.3 });
  expect(futures.engine.findBroken()).toEqual([]);
  moveSilently(futures.engine);
  const broken = futures.engine.findBroken().filter((each) => each.startsWith('ledger-recomputed'));
  expect(broken).toHaveLength(2);
  expect(broken[0]).toMatch(
    /^ledger-recomputed: cell \d:\d:0:[01] holds \d+, its postings make \d+$/,
  );
});

it('ledger-recomputed: an engine restored from a state continues from its balances', () => {
  const futures = new FuturesFixture();
  futures.fund(1, 10_000);
  futures.engine = engineFactory.restore(futures.engine.encodeState());
  futures.engine.recomputeLedger();
  futures.fund(2, 10_000);
  expect(futures.engine.findBroken()).toEqual([]);
  moveSilently(futures.engine);
  expect(futures.engine.findBroken().join()).toContain('ledger-recomputed');
});
