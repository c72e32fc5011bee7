import { randomBytes } from 'node:crypto';

/** Ids of requests: unique over restarts by their random start, and cheap by their counter. */
export class RequestIds {
  readonly #start = randomBytes(6).toString('hex');
  #count = 0;

  next(): string {
    this.#count += 1;
    return `${this.#start}-${this.#count.toString(36)}`;
  }
}
