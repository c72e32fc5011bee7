import type { Amount } from '../../src/domain/amount.ts';
import { assertNever } from '../../src/domain/assert.ts';
import type { AccountId, Address, TokenId } from '../../src/domain/identifiers.ts';
import type { Rejection } from '../../src/domain/rejection.ts';
import type {
  CreditDeposit,
  ReopenWithdrawal,
  ReserveWithdrawal,
  WalletCommand,
} from '../../src/engine/wallet/wallet-commands.ts';
import type { WithdrawalState } from '../../src/engine/wallet/wallet-events.ts';
import type { ReservedWithdrawal } from '../../src/engine/wallet/wallet-state.ts';
import { naiveAmountMax } from './naive-arithmetic.ts';
import { NaiveState, remove } from './naive-state.ts';

/** Accounts, tokens, deposits and withdrawals of the plain engine. */
export class NaiveWallet extends NaiveState {
  protected moveMoney(command: WalletCommand): Rejection | null {
    switch (command.type) {
      case 'creditDeposit':
        return this.creditDeposit(command);
      case 'reserveWithdrawal':
        return this.reserveWithdrawal(command);
      case 'completeWithdrawal':
        return this.endWithdrawal(command.withdrawalId, 'completed');
      case 'releaseWithdrawal':
        return this.endWithdrawal(command.withdrawalId, 'released');
      case 'reopenWithdrawal':
        return this.reopenWithdrawal(command);
      default:
        return assertNever(command);
    }
  }

  protected openAccount(address: Address): AccountId {
    const known = this.addresses.indexOf(address) + 1;
    if (known > 0) return known as AccountId;
    const accountId = this.addresses.push(address) as AccountId;
    this.events.push({ type: 'accountOpened', accountId, address });
    return accountId;
  }

  protected addToken(symbol: string): TokenId {
    const known = this.tokens.findIndex((token) => token.symbol === symbol);
    if (known >= 0) return known as TokenId;
    const tokenId = (this.tokens.push({ symbol, issued: 0n, fees: 0n }) - 1) as TokenId;
    this.events.push({ type: 'tokenAdded', tokenId, symbol });
    return tokenId;
  }

  /** Whether that much more may be issued. */
  protected hasRoom(symbol: string, amount: Amount): boolean {
    const issued = this.tokens.find((token) => token.symbol === symbol)?.issued ?? 0n;
    return issued + amount <= naiveAmountMax;
  }

  protected creditDeposit(command: CreditDeposit): Rejection | null {
    const { address, token, amount, number } = command;
    const known = this.findAccount(address);
    const due = known === null ? 0 : this.countDeposits(known);
    if (number < due) return null;
    if (number > due) return { reason: 'deposit_out_of_turn' };
    if (amount < 0n || !this.hasRoom(token, amount)) return { reason: 'amount_out_of_range' };
    const accountId = this.openAccount(address);
    const tokenId = this.addToken(token);
    this.deposits.push({ accountId, number });
    this.token(tokenId).issued += amount;
    this.cell(accountId, tokenId).available += amount;
    this.events.push({ type: 'depositCredited', accountId, tokenId, amount, number });
    return null;
  }

  protected reserveWithdrawal(command: ReserveWithdrawal): Rejection | null {
    const { withdrawalId, accountId, token, amount } = command;
    if (this.addresses[accountId - 1] === undefined) return { reason: 'account_not_found' };
    if (amount <= 0n) return { reason: 'amount_not_positive' };
    if (this.findWithdrawal(withdrawalId) !== null) return { reason: 'withdrawal_under_way' };
    const tokenId = this.findToken(token);
    if (tokenId === null || !this.canPay(accountId, tokenId, amount)) {
      return { reason: 'insufficient_balance' };
    }
    this.setAside({ withdrawalId, accountId, tokenId, amount });
    return null;
  }

  protected canPay(accountId: AccountId, tokenId: TokenId, amount: bigint): boolean {
    return (this.findCell(accountId, tokenId)?.available ?? 0n) >= amount;
  }

  protected reopenWithdrawal(command: ReopenWithdrawal): Rejection | null {
    const { withdrawalId, accountId, token, amount } = command;
    if (this.addresses[accountId - 1] === undefined) return { reason: 'account_not_found' };
    if (amount <= 0n) return { reason: 'amount_not_positive' };
    if (this.findWithdrawal(withdrawalId) !== null) return { reason: 'withdrawal_under_way' };
    if (!this.hasRoom(token, amount)) return { reason: 'amount_out_of_range' };
    const tokenId = this.addToken(token);
    this.token(tokenId).issued += amount;
    this.cell(accountId, tokenId).available += amount;
    this.setAside({ withdrawalId, accountId, tokenId, amount });
    return null;
  }

  protected endWithdrawal(withdrawalId: string, end: 'completed' | 'released'): Rejection | null {
    const withdrawal = this.withdrawals.find((each) => each.withdrawalId === withdrawalId);
    if (withdrawal === undefined) return { reason: 'withdrawal_not_under_way' };
    const { accountId, tokenId, amount } = withdrawal;
    const cell = this.cell(accountId, tokenId);
    cell.locked -= amount;
    if (end === 'completed') this.token(tokenId).issued -= amount;
    else cell.available += amount;
    remove(this.withdrawals, withdrawal);
    this.reportWithdrawal(withdrawal, end);
    return null;
  }

  private setAside(withdrawal: ReservedWithdrawal): void {
    const cell = this.cell(withdrawal.accountId, withdrawal.tokenId);
    cell.available -= withdrawal.amount;
    cell.locked += withdrawal.amount;
    this.withdrawals.push(withdrawal);
    this.reportWithdrawal(withdrawal, 'reserved');
  }

  private reportWithdrawal(withdrawal: ReservedWithdrawal, state: WithdrawalState): void {
    const { withdrawalId, accountId, tokenId, amount } = withdrawal;
    const subject = { withdrawalId, accountId, tokenId, amount };
    this.events.push({ type: 'withdrawalUpdated', ...subject, state });
  }
}
