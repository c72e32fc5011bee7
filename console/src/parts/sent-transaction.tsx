import { useEffect } from 'preact/hooks';
import { sayError } from '../feed/notices.ts';
import * as texts from '../text/en/frame.ts';
import {
  followTransaction,
  isUnknown,
  type SentTransaction,
  transactionOf,
} from '../wallet/transactions.ts';
import { wallet } from '../wallet/wallet.ts';
import { ChainLink } from './chain-link.tsx';
import { SendButton } from './send-button.tsx';

/** The transaction that was sent for a purpose, looked up again after a reload; null: none. */
export function useTransaction(purpose: string): SentTransaction | null {
  const sent = transactionOf(purpose);
  const isAsked = sent !== null && isUnknown(sent) && wallet.value !== null;
  useEffect(() => {
    if (isAsked) followTransaction(purpose, sent.hash).catch(sayError);
  }, [isAsked]);
  return sent;
}

export interface TransactionLineProps {
  readonly sent: SentTransaction;
  /** Sends another one in the place of one that the wallet has dropped. */
  readonly onAgain?: (() => void) | undefined;
}

/** A transaction's hash and whether it is on the chain. */
export function TransactionLine({ sent: { hash, isMined }, onAgain }: TransactionLineProps) {
  return (
    <p class="dim small-text">
      {texts.transaction} <ChainLink to="tx" value={hash} />{' '}
      {isMined ? texts.isOnTheChain : texts.waitsForTheChain}{' '}
      {!isMined && onAgain !== undefined && (
        <SendButton class="small plain" onClick={onAgain}>
          {texts.sendAgain}
        </SendButton>
      )}
    </p>
  );
}
