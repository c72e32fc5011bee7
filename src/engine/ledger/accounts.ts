import { assert } from '../../domain/assert.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';

/** The accounts, numbered from 1 in the order of opening. */
export class Accounts {
  private readonly ids = new Map<Address, AccountId>();
  private readonly addresses: Address[] = [];

  get count(): number {
    return this.addresses.length;
  }

  /** Whether an account has this number; numbers start at 1. */
  has(accountId: number): boolean {
    return accountId >= 1 && accountId <= this.addresses.length && Number.isInteger(accountId);
  }

  /** Null if the address has no account. */
  find(address: Address): AccountId | null {
    return this.ids.get(address) ?? null;
  }

  /** @throws AssertionError if the account does not exist. */
  getAddress(accountId: AccountId): Address {
    const address = this.addresses[accountId - 1];
    assert(address !== undefined, `there is no account ${accountId}`);
    return address;
  }

  /** The address must not have an account yet. */
  open(address: Address): AccountId {
    const accountId = this.addresses.push(address) as AccountId;
    this.ids.set(address, accountId);
    return accountId;
  }
}
