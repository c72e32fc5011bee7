import { InvalidCursorError } from '../../application/ports/database.ts';

// A cursor identifies the last row of a page, so that the next page starts right below it however
// many rows were added since. It is opaque to callers, and only issued cursors are accepted.

export type CursorKind =
  | 'orders'
  | 'trades'
  | 'futures_orders'
  | 'futures_trades'
  | 'withdrawals'
  | 'perp_withdrawals'
  | 'deposits'
  | 'transfers';

const textPattern = /^[A-Za-z0-9_-]{1,64}$/;

export function encodeCursor(kind: CursorKind, number: number): string {
  return Buffer.from(`${kind}:${number}`, 'latin1').toString('base64url');
}

/** @throws InvalidCursorError if this is not a cursor of such a list */
export function decodeCursor(kind: CursorKind, text: string): number {
  if (!textPattern.test(text)) throw new InvalidCursorError('malformed cursor');
  const decoded = Buffer.from(text, 'base64url').toString('latin1');
  const number = Number(decoded.slice(kind.length + 1));
  // Encoding it again verifies that kind, number and spelling are as issued.
  if (!Number.isSafeInteger(number) || number < 1 || encodeCursor(kind, number) !== text) {
    throw new InvalidCursorError('malformed cursor');
  }
  return number;
}
