import type { Part } from '../part.ts';

// Texts of the chart as a table, by key.

export const from = 'From';
export const open = 'Open';
export const high = 'High';
export const low = 'Low';
export const close = 'Close';
export const volume = 'Volume';
export const noCandlesYet = 'No candles yet.';
export const newestCandles = (count: Part, interval: Part) =>
  `The newest ${count} candles of ${interval}`;
