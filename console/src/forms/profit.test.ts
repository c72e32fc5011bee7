import { fromUnits, toUnits } from '@openbourse/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { incomeByDay, profitAt, sizeOf } from './profit.ts';

test('profit: a long gains as the price rises, a short as it falls', () => {
  const long = { quantity: '0.5', entry_price: '100' };
  expect(profitAt(long, '110.5')).toBe('5.25');
  const short = { ...long, quantity: '-0.5' };
  expect(profitAt(short, '110.5')).toBe('-5.25');
  expect([sizeOf(long), sizeOf(short)]).toEqual(['0.5', '0.5']);
  expect(profitAt(long, null)).toBe(null);
  expect(profitAt({ ...long, entry_price: null }, '1')).toBe(null);
});

test('profit: a day sums up by kind, and balances go back from what is held now', () => {
  const row = (type: string, amount: string, day: string) => ({
    type,
    amount,
    created_at: `2026-01-${day}T10:00:00.000Z`,
  });
  const rows = [
    row('TRANSFER', '1000', '01'),
    row('COMMISSION', '-0.5', '02'),
    row('REALIZED_PNL', '20', '02'),
    row('FUNDING_FEE', '-1.25', '02'),
  ];
  expect(incomeByDay(rows, '1018.25')).toEqual([
    {
      day: '2026-01-02',
      realized: '20',
      funding: '-1.25',
      fees: '-0.5',
      transfers: '0',
      profit: '18.25',
      balance: '1018.25',
    },
    {
      day: '2026-01-01',
      realized: '0',
      funding: '0',
      fees: '0',
      transfers: '1000',
      profit: '0',
      balance: '1000',
    },
  ]);
});

test('profit: whatever the income, the first day begins where the sums say', () => {
  const rowOf = fc.record({
    type: fc.constantFrom('COMMISSION', 'REALIZED_PNL', 'FUNDING_FEE', 'TRANSFER'),
    amount: fc.bigInt(-(10n ** 14n), 10n ** 14n).map(fromUnits),
    created_at: fc
      .integer({ min: 1, max: 28 })
      .map((day) => `2026-02-${String(day).padStart(2, '0')}T00:00:00.000Z`),
  });
  fc.assert(
    fc.property(fc.array(rowOf, { minLength: 1 }), (rows) => {
      const days = incomeByDay(rows, '0');
      const total = rows.reduce((sum, { amount }) => sum + toUnits(amount), 0n);
      const first = days.at(-1);
      const before =
        toUnits(first?.balance ?? '0') -
        toUnits(first?.profit ?? '0') -
        toUnits(first?.transfers ?? '0');
      expect(before).toBe(-total);
    }),
  );
});
