import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountMax } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { type Position, StoredPositions } from './stored-positions.ts';

const signed = fc.bigInt({ min: -2n * amountMax, max: 2n * amountMax });
const values = fc.record({
  quantity: fc.maxSafeInteger(),
  entryNotional: fc.bigInt({ min: 0n, max: amountMax }),
  realizedProfit: signed,
  fees: signed,
  fundingIndex: signed,
  updatedAt: fc.maxSafeNat(),
});

const amountMin = 0n - amountMax;

function bounded(amount: bigint): bigint {
  if (amount > amountMax) return amountMax;
  return amount < amountMin ? amountMin : amount;
}

describe('StoredPositions', () => {
  it('stored positions: each reads back as stored; historical sums saturate at 64 bits', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 200 }), (rows) => {
        const stored = new StoredPositions();
        const positions: Position[] = [];
        for (const [at, row] of rows.entries()) {
          const position = stored.open(at as AccountId, at + 1);
          expect(position).toMatchObject({ quantity: 0, entryNotional: 0n, realizedProfit: 0n });
          positions.push(Object.assign(position, row));
        }
        for (const [at, row] of rows.entries()) {
          const { realizedProfit, fees } = row;
          const { accountId, marketId } = positions[at] as Position;
          expect([accountId, marketId]).toEqual([at, at + 1]);
          expect(positions[at]).toMatchObject({
            ...row,
            realizedProfit: bounded(realizedProfit),
            fees: bounded(fees),
          });
        }
      }),
    );
  });

  it('stored positions: no position costs more than the largest amount', () => {
    const position = new StoredPositions().open(1 as AccountId, 0);
    const refusal = 'the cost of a position exceeds the maximum';
    expect(() => {
      position.entryNotional = amountMax + 1n;
    }).toThrow(refusal);
    expect(() => {
      position.entryNotional = -1n;
    }).toThrow(refusal);
    expect(position.entryNotional).toBe(0n);
  });
});
