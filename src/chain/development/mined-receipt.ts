import { setTimeout as delay } from 'node:timers/promises';
import { type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';

interface ReceiptReader {
  getTransactionReceipt(of: { readonly hash: Hex }): Promise<TransactionReceipt>;
}

const lookAgainMs = 20;
const waitMsMax = 20_000;

/**
 * The receipt of a transaction that was sent, once it is in a block. A chain that mines on demand
 * says that it has a block before it shows the block's receipts, and then makes no other; viem's
 * own waiting looks again with the next block only, and would wait for it for minutes.
 * @throws Error where the transaction is in no block after 20 seconds
 */
export async function minedReceipt(client: ReceiptReader, hash: Hex): Promise<TransactionReceipt> {
  const endsAt = performance.now() + waitMsMax;
  for (;;) {
    try {
      return await client.getTransactionReceipt({ hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
      if (performance.now() > endsAt)
        throw new Error('a transaction is not mined', { cause: error });
    }
    await delay(lookAgainMs);
  }
}
