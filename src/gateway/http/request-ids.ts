import { randomBytes } from 'node:crypto';

/** Request ids: unique across restarts by their random start, and cheap by their counter. */
export class RequestIds {
  readonly #start = randomBytes(6).toString('hex');
  #count = 0;

  next(): string {
    this.#count += 1;
    return `${this.#start}-${this.#count.toString(36)}`;
  }
}
