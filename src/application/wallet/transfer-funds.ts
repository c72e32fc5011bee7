import { type Amount, formatAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import type { Address } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { FundsTransferred } from '../../engine/futures-events.ts';
import type { WalletReadPorts } from './read-wallet.ts';
import type { TransferView } from './wallet-ports.ts';

export const transferDirections = ['spot_to_perp', 'perp_to_spot'] as const;
export type TransferDirection = (typeof transferDirections)[number];

/** The only token that both wallets hold. */
export const transferToken = 'USDT';

export interface TransferRequest {
  readonly address: Address;
  readonly direction: TransferDirection;
  readonly amount: Amount;
  readonly clientTransferId: string | null;
}

export type TransferAnswer = Pick<TransferView, 'transfer_id' | 'direction' | 'token' | 'amount'>;

/**
 * Moves USDT between the caller's two wallets immediately. A clientTransferId that was used before
 * returns its first transfer and moves nothing.
 * @throws EngineBusyError, EngineRestartingError: nothing was moved; for a repeated one also
 * DatabaseError.
 */
export async function transferFunds(
  { exchange, barrier, walletHistory }: WalletReadPorts,
  { address, direction, amount, clientTransferId }: TransferRequest,
): Promise<Outcome<TransferAnswer>> {
  const accountId = exchange.peek((view) => view.findAccount(address));
  if (accountId === null) return refused({ reason: 'insufficient_balance' });
  const { rejection, events, sequence } = await exchange.submit({
    type: 'transferFunds',
    accountId,
    direction,
    amount,
    clientTransferId,
  });
  if (rejection !== null) return refused(rejection);
  const transfer = events.find(
    (event): event is FundsTransferred => event.type === 'fundsTransferred',
  );
  assert(transfer !== undefined, 'a transfer that was not refused is reported');
  if (!transfer.isRepeated) return done(viewTransfer(transfer));
  // The first transfer may have had another amount or direction.
  await barrier.waitFor(sequence);
  const first = await walletHistory.loadTransfer(String(transfer.transferNumber));
  return done(answerOf(first));
}

function answerOf({ transfer_id, direction, token, amount }: TransferView): TransferAnswer {
  return { transfer_id, direction, token, amount };
}

function viewTransfer(transfer: FundsTransferred): TransferAnswer {
  return {
    transfer_id: String(transfer.transferNumber),
    direction: transfer.direction,
    token: transferToken,
    amount: formatAmount(transfer.amount),
  };
}
