import { expect, it } from 'vitest';
import { FuturesFixture } from '../../test/support/futures-fixture.ts';
import { auditEngine } from './full-audit.ts';

it('full audit: a sound state passes; one that a restore makes another does not', () => {
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
