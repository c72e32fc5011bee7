import type { AccountId } from '../../../domain/identifiers.ts';

// A repeated client_transfer_id answers the first transfer. Only the newest ids of an account are
// remembered, so that no client can make memory and snapshots grow for ever, nor push out the ids
// of somebody else.
const idsPerAccountMax = 1_000;

export interface TransferId {
  readonly accountId: AccountId;
  readonly clientTransferId: string;
  readonly transferNumber: number;
}

/** Transfers by account and the id that their client gave them. */
export class TransferIds {
  readonly #byAccount = new Map<AccountId, Map<string, number>>();

  /** Undefined where the account never used the id, or too many ids ago. */
  find(accountId: AccountId, clientTransferId: string): number | undefined {
    return this.#byAccount.get(accountId)?.get(clientTransferId);
  }

  /** Transfers come by rising numbers, so the oldest is the first of its account. */
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

  /** By number. */
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
