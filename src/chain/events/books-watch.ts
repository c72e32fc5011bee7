import type { BlockReference, ChainBooks } from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { ChainConnection } from '../chain-connection.ts';
import type { ChainHalts } from '../halts.ts';
import { type BookDifference } from './book-difference.ts';
import { closeBooks } from './close-books.ts';
import type { EventListener } from './event-listener.ts';
import { explains } from './find-withheld.ts';

/**
 * Counts the confirmed chain and closes the books after it. A difference halts signing; what was
 * counted since the books agreed is then read again from the receipts of each provider, and nothing
 * further is counted until the books agree or people have cleared the halt.
 */
export class BooksWatch {
  readonly #books: ChainBooks;
  readonly #halts: ChainHalts;
  #differences: readonly BookDifference[] = [];

  constructor(books: ChainBooks, halts: ChainHalts) {
    this.#books = books;
    this.#halts = halts;
  }

  /** Those of the last closing. */
  get differences(): readonly BookDifference[] {
    return this.#differences;
  }

  /**
   * Returns the last counted block.
   * @throws ChainUnavailableError, DatabaseError; Error if the chain is not the one counted before
   */
  async count(
    connection: ChainConnection,
    listener: EventListener,
    poll: () => Promise<BlockReference>,
  ): Promise<BlockReference> {
    const stopped = await this.#findStopped(connection, listener);
    if (stopped !== null) {
      const mended = await this.#close(connection, listener, stopped);
      if (this.#differences.length > 0) return mended;
    }
    return this.#close(connection, listener, await poll());
  }

  // The block at which the books differ; null if counting continues.
  async #findStopped(
    { node }: ChainConnection,
    listener: EventListener,
  ): Promise<BlockReference | null> {
    if (!this.#halts.isOpen('books_differ') || !(await listener.readProgress())) return null;
    const { cursor } = listener.status;
    if (cursor === null) return null;
    // After a reorganization there is something to undo first.
    const header = await node.findHeader(cursor.number);
    return header?.hash === cursor.hash ? cursor : null;
  }

  async #close(
    connection: ChainConnection,
    listener: EventListener,
    block: BlockReference,
  ): Promise<BlockReference> {
    await this.#compare(connection, listener, block);
    if (this.#differences.length === 0) return block;
    const missing = this.#differences;
    const recounted = await listener.recount((events) => explains(events, missing));
    if (recounted === null) return block;
    await this.#compare(connection, listener, recounted);
    return recounted;
  }

  async #compare(
    connection: ChainConnection,
    listener: EventListener,
    block: BlockReference,
  ): Promise<void> {
    const accounts = [...listener.takeTouched(), ...this.#differences.flatMap(accountOf)];
    this.#differences = await closeBooks(connection, this.#books, { block, accounts });
    for (const { text: detail } of this.#differences) {
      await this.#halts.raise({ kind: 'books_differ', detail });
    }
    if (this.#differences.length === 0) listener.confirm();
  }
}

function accountOf({ what, of }: BookDifference): readonly Address[] {
  return of === null || what === 'accounted' ? [] : [of];
}
