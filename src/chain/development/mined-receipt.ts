import {
  type Hex,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  withRetry,
} from 'viem';

interface ReceiptReader {
  getTransactionReceipt(of: { readonly hash: Hex }): Promise<TransactionReceipt>;
}

const recheckMs = 20;
const checksMax = 1_000;

/**
 * Returns the receipt of a sent transaction once it is in a block. A chain that mines on demand
 * announces a block before it returns the block's receipts, and then mines no other; viem's own
 * wait checks again only with the next block, which could take minutes.
 * @throws TransactionReceiptNotFoundError if the transaction is in no block after 20 seconds
 */
export function minedReceipt(client: ReceiptReader, hash: Hex): Promise<TransactionReceipt> {
  return withRetry(() => client.getTransactionReceipt({ hash }), {
    delay: recheckMs,
    retryCount: checksMax,
    shouldRetry: ({ error }) => error instanceof TransactionReceiptNotFoundError,
  });
}
