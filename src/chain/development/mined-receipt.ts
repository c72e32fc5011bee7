import {
  type Hex,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  withRetry,
} from 'viem';

interface ReceiptReader {
  getTransactionReceipt(of: { readonly hash: Hex }): Promise<TransactionReceipt>;
}

const lookAgainMs = 20;
const looksMax = 1_000;

/**
 * The receipt of a transaction that was sent, once it is in a block. A chain that mines on demand
 * says that it has a block before it shows the block's receipts, and then makes no other; viem's
 * own waiting looks again with the next block only, and would wait for it for minutes.
 * @throws TransactionReceiptNotFoundError where the transaction is in no block after 20 seconds
 */
export function minedReceipt(client: ReceiptReader, hash: Hex): Promise<TransactionReceipt> {
  return withRetry(() => client.getTransactionReceipt({ hash }), {
    delay: lookAgainMs,
    retryCount: looksMax,
    shouldRetry: ({ error }) => error instanceof TransactionReceiptNotFoundError,
  });
}
