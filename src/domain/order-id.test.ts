import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OrderNumber, TimestampMs } from './identifiers.ts';
import { formatOrderId, isUuid, parseOrderId } from './order-id.ts';

test('orderId: is a UUID of version 7 and reads back to its parts', () => {
  const parts = fc.record({
    orderNumber: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    createdAt: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  });
  fc.assert(
    fc.property(parts, ({ orderNumber, createdAt }) => {
      const id = formatOrderId({
        orderNumber: orderNumber as OrderNumber,
        createdAt: createdAt as TimestampMs,
      });
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(isUuid(id)).toBe(true);
      expect(parseOrderId(id)).toEqual({ orderNumber, createdAt });
      expect(parseOrderId(id.toUpperCase())).toEqual({ orderNumber, createdAt });
    }),
  );
});

test.each([
  '',
  '1',
  'not-a-uuid',
  '00000000-0000-0000-0000-00000000000',
  '0000000000000000000000000000000000',
])('isUuid: %j is not one', (text) => {
  expect(isUuid(text)).toBe(false);
});

test.each(['123e4567-e89b-12d3-a456-426614174000', '00000000-0000-7000-8000-000000000000'])(
  'parseOrderId: the UUID %s belongs to no order',
  (text) => {
    expect(isUuid(text)).toBe(true);
    expect(parseOrderId(text)).toBeNull();
  },
);
