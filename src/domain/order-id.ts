import type { OrderNumber, TimestampMs } from './identifiers.ts';

// An order id is a UUID of version 7: the millisecond of creation, then the order's number in the
// last 62 bits. Both can be read back, so no table from id to number is needed.

/** What an order id encodes: the number, and when the order was placed. */
export interface OrderIdParts {
  readonly orderNumber: OrderNumber;
  readonly createdAt: TimestampMs;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const orderIdPattern = /^([0-9a-f]{8})-([0-9a-f]{4})-7000-8([0-9a-f]{3})-([0-9a-f]{12})$/;
const numberLowDigits = 12;

/** Whether the text is a UUID, of any version and in either case. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** The order's public id, a UUID of version 7 in lowercase. */
export function formatOrderId({ orderNumber, createdAt }: OrderIdParts): string {
  const number = orderNumber.toString(16).padStart(15, '0');
  const high = number.slice(0, number.length - numberLowDigits);
  const low = number.slice(number.length - numberLowDigits);
  return `${formatIdTime(createdAt)}-7000-8${high}-${low}`;
}

let lastMs = Number.NaN;
let lastText = '';

// Orders of the same millisecond arrive together, so the last text is cached.
function formatIdTime(createdAt: TimestampMs): string {
  if (createdAt !== lastMs) {
    const time = createdAt.toString(16).padStart(12, '0');
    lastText = `${time.slice(0, 8)}-${time.slice(8)}`;
    lastMs = createdAt;
  }
  return lastText;
}

/** Decodes an order id; null for a text that no order of this exchange can have as its id. */
export function parseOrderId(text: string): OrderIdParts | null {
  const match = orderIdPattern.exec(text.toLowerCase());
  if (match === null) return null;
  const [, timeHigh = '', timeLow = '', high = '', low = ''] = match;
  const orderNumber = Number.parseInt(high + low, 16);
  const createdAt = Number.parseInt(timeHigh + timeLow, 16);
  if (!Number.isSafeInteger(orderNumber) || orderNumber === 0) return null;
  return { orderNumber: orderNumber as OrderNumber, createdAt: createdAt as TimestampMs };
}
