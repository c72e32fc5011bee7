import { type Amount, toAmount } from '../../domain/amount.ts';
import type { Ledger } from './ledger.ts';
import { isPerpSide, spotKind, spotLeavingKind } from './record-kinds.ts';

/** What the ledger's `perpFundsOf` says, summed again from all records. */
export function perpFundsOf(ledger: Ledger, tokenId: number): Amount {
  let sum = 0n;
  for (const { kind, tokenId: token, first, second } of ledger.records()) {
    if (token === tokenId && isPerpSide(kind)) sum += first + second;
  }
  return toAmount(sum);
}

/** Everything issued of the token that is in no spot wallet. */
export function outsideSpotOf(ledger: Ledger, tokenId: number): Amount {
  let sum: bigint = ledger.issuedOf(tokenId);
  for (const { kind, tokenId: token, first, second } of ledger.records()) {
    const isSpot = kind === spotKind || kind === spotLeavingKind;
    if (token === tokenId && isSpot) sum -= first + second;
  }
  return toAmount(sum);
}
