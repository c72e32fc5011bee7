import type { Part } from '../part.ts';

// Texts around lists and charts of lists, by key.

export const lineFromTo = (label: Part, value: Part, name: Part, lastValue: Part, lastName: Part) =>
  `${label}: from ${value} on ${name} to ${lastValue} on ${lastName}`;
export const allCount = (count: Part) => `All ${count}.`;
export const newestCount = (count: Part) => `The newest ${count}.`;
export const showMore = 'Show more';
export const range = (first: Part, last: Part, total: Part) => `${first} to ${last} of ${total}`;
export const newer = 'Newer';
export const older = 'Older';
export const lineRange = (label: Part, first: Part, last: Part) => `${label}, ${first} to ${last}`;
export const noneOf = (total: Part) => `None of ${total}`;
