import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

// Recorded order flow in the LOBSTER format. Columns: seconds after midnight, type, order id, size,
// price in dollars times 10,000, direction of the order concerned (1 buy, -1 sell).

export type FlowSide = 'buy' | 'sell';

export interface FlowMessage {
  readonly seconds: number;
  /**
   * new: a limit order arrived. reduce: an order was canceled in part. delete: an order was
   * canceled. execute: a visible order was hit. other: hidden executions and crosses, which no
   * visible order explains.
   */
  readonly kind: 'new' | 'reduce' | 'delete' | 'execute' | 'other';
  readonly orderId: string;
  readonly size: number;
  /** Cents. */
  readonly price: number;
  readonly side: FlowSide;
}

const kinds = new Map<string, FlowMessage['kind']>([
  ['1', 'new'],
  ['2', 'reduce'],
  ['3', 'delete'],
  ['4', 'execute'],
  ['5', 'other'],
  ['6', 'other'],
]);
const recordedPerCent = 100;

/**
 * Reads at most that many messages of a file, plain or gzipped if its name ends in `.gz`.
 * @throws Error naming the line that is not a message.
 */
export async function readOrderFlow(
  path: string,
  messagesMax = Number.POSITIVE_INFINITY,
): Promise<readonly FlowMessage[]> {
  const file = createReadStream(path);
  const input: Readable = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  file.on('error', (error) => input.destroy(error));
  const messages: FlowMessage[] = [];
  let lineNumber = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    lineNumber += 1;
    if (messages.length >= messagesMax) break;
    if (line === '') continue;
    const message = parseMessage(line);
    if (message === null) throw new Error(`${path}: line ${lineNumber} is not a message: ${line}`);
    messages.push(message);
  }
  file.destroy();
  return messages;
}

/** Parses one line; null if it is not a message. */
export function parseMessage(line: string): FlowMessage | null {
  const [time, type, orderId, sizeText, priceText, direction] = line.split(',');
  const kind = kinds.get(type ?? '');
  const seconds = Number(time);
  const size = Number(sizeText);
  const price = Number(priceText) / recordedPerCent;
  if (kind === undefined || orderId === undefined || !/^-?\d+$/.test(orderId)) return null;
  if (!Number.isFinite(seconds) || !Number.isSafeInteger(size) || size <= 0) return null;
  // Hidden executions are at the middle of the spread, between two cents.
  if (!(price > 0) || (kind !== 'other' && !Number.isSafeInteger(price))) return null;
  if (direction !== '1' && direction !== '-1') return null;
  return { seconds, kind, orderId, size, price, side: direction === '1' ? 'buy' : 'sell' };
}
