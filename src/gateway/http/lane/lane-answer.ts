import type { OrderUse } from '../request-limiter.ts';
import { jsonType } from '../send-error.ts';

/** The answer to an order, independent of its transport. */
export interface LaneAnswer {
  readonly status: number;
  readonly requestId: string;
  readonly usedWeight: number;
  readonly orders: OrderUse;
  /** Headers of this answer besides those that all answers have. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bodyBytes: number;
}

/** The headers as they are sent, each with its line end. */
export function headerLines(answer: LaneAnswer): string {
  const { requestId, usedWeight, orders, headers, bodyBytes } = answer;
  // A single template: concatenating line by line creates a string per line.
  let lines =
    `x-request-id: ${requestId}\r\nx-content-type-options: nosniff\r\ncache-control: no-store\r\n` +
    `x-mbx-used-weight-1m: ${usedWeight}\r\nx-mbx-order-count-10s: ${orders.inTenSeconds}\r\n` +
    `x-mbx-order-count-1m: ${orders.inMinute}\r\ncontent-length: ${bodyBytes}\r\n`;
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  const isTyped = 'content-type' in headers;
  return bodyBytes === 0 || isTyped ? lines : `${lines}content-type: ${jsonType}\r\n`;
}

/** The same as alternating names and values. */
export function headerPairs(answer: LaneAnswer): string[] {
  const lines = headerLines(answer).trimEnd().split('\r\n');
  return lines.flatMap((line) => {
    const nameEnd = line.indexOf(': ');
    return [line.slice(0, nameEnd), line.slice(nameEnd + 2)];
  });
}
