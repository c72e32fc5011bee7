import { randomFillSync } from 'node:crypto';

const timeDigits = 12;
const randomBytes = 5;
const idsPerDraw = 256;

/**
 * Returns a source of ids for orders sent without one: the milliseconds and random bytes, in hex.
 * They rise with time, so the index that finds an order by its id grows at the end of each account;
 * unordered ids would each touch another page of it. Random bytes are drawn for many ids at a time,
 * since a draw costs as much as matching.
 */
export function makeClientOrderIdSource(now: () => number): () => string {
  const pool = Buffer.alloc(randomBytes * idsPerDraw);
  let at = pool.length;
  let time = -1;
  let timeText = '';
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += randomBytes;
    const millisecond = now();
    if (millisecond !== time) {
      time = millisecond;
      timeText = millisecond.toString(16).padStart(timeDigits, '0');
    }
    return timeText + pool.toString('hex', at - randomBytes, at);
  };
}
