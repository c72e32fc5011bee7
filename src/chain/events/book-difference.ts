import { type Missing } from './find-withheld.ts';

/** A difference between what is counted and the contract's own number. */
export interface BookDifference extends Missing {
  readonly text: string;
}
