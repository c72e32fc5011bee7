import { assertNever } from '../domain/assert.ts';
import type {
  CompleteWithdrawal,
  CreditDeposit,
  ReleaseWithdrawal,
  ReopenWithdrawal,
  ReserveWithdrawal,
  WalletCommand,
} from '../engine/wallet/wallet-commands.ts';
import type { FieldReader } from './field-reader.ts';
import type { FieldStream } from './field-stream.ts';
import type { FieldWriter } from './field-writer.ts';

// The encoding of deposits and withdrawals; the numbers are permanent, as in command-codec.ts.

export const walletCommandTags = {
  creditDeposit: 10,
  reserveWithdrawal: 11,
  completeWithdrawal: 12,
  releaseWithdrawal: 13,
  reopenWithdrawal: 14,
} as const satisfies Record<WalletCommand['type'], number>;

export function writeWalletCommand(writer: FieldWriter, command: WalletCommand): void {
  switch (command.type) {
    case 'creditDeposit':
      creditDeposit(writer, command);
      return;
    case 'reserveWithdrawal':
      reserveWithdrawal(writer, command);
      return;
    case 'completeWithdrawal':
      completeWithdrawal(writer, command);
      return;
    case 'releaseWithdrawal':
      releaseWithdrawal(writer, command);
      return;
    case 'reopenWithdrawal':
      reopenWithdrawal(writer, command);
      return;
    default:
      assertNever(command);
  }
}

/** The command identified by the tag; null if it is not a wallet command. */
export function readWalletCommand(reader: FieldReader, tag: number): WalletCommand | null {
  switch (tag) {
    case walletCommandTags.creditDeposit:
      return creditDeposit(reader);
    case walletCommandTags.reserveWithdrawal:
      return reserveWithdrawal(reader);
    case walletCommandTags.completeWithdrawal:
      return completeWithdrawal(reader);
    case walletCommandTags.releaseWithdrawal:
      return releaseWithdrawal(reader);
    case walletCommandTags.reopenWithdrawal:
      return reopenWithdrawal(reader);
    default:
      return null;
  }
}

function creditDeposit(stream: FieldStream, command?: CreditDeposit): CreditDeposit {
  return {
    type: 'creditDeposit',
    address: stream.address(command?.address),
    token: stream.text(command?.token),
    amount: stream.bigint(command?.amount),
    number: stream.integer(command?.number),
  };
}

function reserveWithdrawal(stream: FieldStream, command?: ReserveWithdrawal): ReserveWithdrawal {
  return { type: 'reserveWithdrawal', ...terms(stream, command) };
}

function reopenWithdrawal(stream: FieldStream, command?: ReopenWithdrawal): ReopenWithdrawal {
  return { type: 'reopenWithdrawal', ...terms(stream, command) };
}

type Terms = Omit<ReserveWithdrawal, 'type'>;

function terms(stream: FieldStream, command?: Terms): Terms {
  return {
    withdrawalId: stream.text(command?.withdrawalId),
    accountId: stream.integer(command?.accountId),
    token: stream.text(command?.token),
    amount: stream.bigint(command?.amount),
  };
}

function completeWithdrawal(stream: FieldStream, command?: CompleteWithdrawal): CompleteWithdrawal {
  return { type: 'completeWithdrawal', withdrawalId: stream.text(command?.withdrawalId) };
}

function releaseWithdrawal(stream: FieldStream, command?: ReleaseWithdrawal): ReleaseWithdrawal {
  return { type: 'releaseWithdrawal', withdrawalId: stream.text(command?.withdrawalId) };
}
