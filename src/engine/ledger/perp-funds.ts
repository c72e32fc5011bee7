import { type Amount, toAmount } from '../../domain/amount.ts';
import type { Ledger } from './ledger.ts';
import {
  closeOutKind,
  fundKind,
  marketKind,
  perpKind,
  spotKind,
  spotLeavingKind,
} from './record-kinds.ts';

const kinds: readonly number[] = [perpKind, closeOutKind, fundKind, marketKind];

/** The part of the token in perp wallets and in all cells that back them, except for fees. */
export function perpFundsOf(ledger: Ledger, tokenId: number): Amount {
  let sum = 0n;
  for (const { kind, tokenId: token, first, second } of ledger.records()) {
    if (token === tokenId && kinds.includes(kind)) sum += first + second;
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
