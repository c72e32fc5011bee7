import type { Part } from '../part.ts';

// Texts of the book read aloud, by key.

export const bookIsEmpty = 'The book is empty.';
export const commaSpread = (spread: Part) => `, spread ${spread}`;
export const bestPrices = (bid: Part, ask: Part, spread: Part) =>
  `Best bid ${bid}, best ask ${ask}${spread}.`;
export const lastPriceIs = (price: Part) => `Last price ${price}.`;
export const readTheBook = 'Read the book';
export const announceLastPrice = 'Announce the last price every 10 seconds';
