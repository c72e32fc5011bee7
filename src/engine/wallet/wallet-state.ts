import { type Amount, toAmount } from '../../domain/amount.ts';
import type { AccountId, TokenId } from '../../domain/identifiers.ts';
import type { ByteReader } from '../snapshot/byte-reader.ts';
import type { ByteWriter } from '../snapshot/byte-writer.ts';

/** An amount that is set aside until the chain has paid it or never will. */
export interface ReservedWithdrawal {
  readonly withdrawalId: string;
  readonly accountId: AccountId;
  readonly tokenId: TokenId;
  readonly amount: Amount;
}

/**
 * What the engine remembers about deposits and withdrawals: one number for each account that has
 * ever deposited, and the withdrawals in progress. Nothing grows with the number of payments.
 */
export class WalletState {
  private readonly depositCounts = new Map<AccountId, number>();
  private readonly reserved = new Map<string, ReservedWithdrawal>();

  /** The number of the account's deposits counted so far; the next one carries this number. */
  countDeposits(accountId: AccountId): number {
    return this.depositCounts.get(accountId) ?? 0;
  }

  /** Counts one more deposit of the account. */
  countDeposit(accountId: AccountId): void {
    this.depositCounts.set(accountId, this.countDeposits(accountId) + 1);
  }

  /** What is set aside under the id; null if nothing is. */
  find(withdrawalId: string): ReservedWithdrawal | null {
    return this.reserved.get(withdrawalId) ?? null;
  }

  /** Remembers what the ledger has set aside for the withdrawal. */
  reserve(withdrawal: ReservedWithdrawal): void {
    this.reserved.set(withdrawal.withdrawalId, withdrawal);
  }

  /** The withdrawal was paid or returned. */
  forget(withdrawalId: string): void {
    this.reserved.delete(withdrawalId);
  }

  /** By id, so that the list does not depend on how it was created. */
  list(): readonly ReservedWithdrawal[] {
    return [...this.reserved.values()].sort((left, right) =>
      left.withdrawalId < right.withdrawalId ? -1 : 1,
    );
  }

  /** Writes it for a snapshot, in an order that follows from the content. */
  encode(writer: ByteWriter): void {
    const counts = [...this.depositCounts].sort(([left], [right]) => left - right);
    writer.writeUint32(counts.length);
    for (const [accountId, count] of counts) {
      writer.writeUint32(accountId);
      writer.writeNumber(count);
    }
    const withdrawals = this.list();
    writer.writeUint32(withdrawals.length);
    for (const { withdrawalId, accountId, tokenId, amount } of withdrawals) {
      writer.writeText(withdrawalId);
      writer.writeUint32(accountId);
      writer.writeUint32(tokenId);
      writer.writeAmount(amount);
    }
  }

  /** Reads what `encode` wrote. */
  decode(reader: ByteReader): void {
    const counts = reader.readUint32();
    for (let at = 0; at < counts; at += 1) {
      this.depositCounts.set(reader.readUint32() as AccountId, reader.readNumber());
    }
    const withdrawals = reader.readUint32();
    for (let at = 0; at < withdrawals; at += 1) {
      this.reserve({
        withdrawalId: reader.readText(),
        accountId: reader.readUint32() as AccountId,
        tokenId: reader.readUint32() as TokenId,
        amount: toAmount(reader.readAmount()),
      });
    }
  }
}
