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

/** What of the token lies in perp wallets, and all that stands behind these but fees. */
export function perpFundsOf(ledger: Ledger, tokenId: number): Amount {
  let sum = 0n;
  for (const { kind, tokenId: token, first, second } of ledger.records()) {
    if (token === tokenId && kinds.includes(kind)) sum += first + second;
  }
  return toAmount(sum);
}

/** All of the token that was issued and lies in no spot wallet. */
export function outsideSpotOf(ledger: Ledger, tokenId: number): Amount {
  let sum: bigint = ledger.issuedOf(tokenId);
  for (const { kind, tokenId: token, first, second } of ledger.records()) {
    const isSpot = kind === spotKind || kind === spotLeavingKind;
    if (token === tokenId && isSpot) sum -= first + second;
  }
  return toAmount(sum);
}
