import type { FindOwnReply, OrderMemory, OrderReply } from '../application/ports/exchange.ts';
import type { OrderReplies } from './order-replies.ts';

/** What all processes together remember about signed orders. */
export class SharedOrderMemory implements OrderMemory {
  readonly isComplete: () => boolean;
  readonly #replies: () => OrderReplies | undefined;
  #findOwn: FindOwnReply = async () => null;

  /** The replies of other processes can be asked for once this one has joined. */
  constructor(isComplete: () => boolean, replies: () => OrderReplies | undefined) {
    this.isComplete = isComplete;
    this.#replies = replies;
  }

  async findReply(signature: string): Promise<OrderReply | null> {
    return (await this.#replies()?.find(signature)) ?? null;
  }

  findOwnReply(signature: string): Promise<OrderReply | null> {
    return this.#findOwn(signature);
  }

  shareReplies(find: FindOwnReply): void {
    this.#findOwn = find;
  }
}
