import type { AccountId } from '../../../domain/identifiers.ts';

// A repeated client_transfer_id returns the first transfer. Only an account's newest ids are
// remembered, so that a client can neither make memory and snapshots grow without bound nor evict
// the ids of another account.
const idsPerAccountMax = 1_000;

/** A client transfer id and the transfer that used it first. */
export interface TransferId {
  readonly accountId: AccountId;
  readonly clientTransferId: string;
  readonly transferNumber: number;
}

/** Transfers by account and client transfer id. */
export class TransferIds {
  readonly #byAccount = new Map<AccountId, Map<string, number>>();

  /** Undefined if the account never used the id, or too many transfers ago. */
  find(accountId: AccountId, clientTransferId: string): number | undefined {
    return this.#byAccount.get(accountId)?.get(clientTransferId);
  }

  /** Transfers are added by increasing number, so the first of an account is its oldest. */
  add({ accountId, clientTransferId, transferNumber }: TransferId): void {
    let known = this.#byAccount.get(accountId);
    if (known === undefined) {
      known = new Map();
      this.#byAccount.set(accountId, known);
    }
    known.set(clientTransferId, transferNumber);
    if (known.size <= idsPerAccountMax) return;
    for (const oldest of known.keys()) {
      known.delete(oldest);
      return;
    }
  }

  /** By transfer number. */
  list(): readonly TransferId[] {
    const all: TransferId[] = [];
    for (const [accountId, known] of this.#byAccount) {
      for (const [clientTransferId, transferNumber] of known) {
        all.push({ accountId, clientTransferId, transferNumber });
      }
    }
    return all.sort((left, right) => left.transferNumber - right.transferNumber);
  }
}
