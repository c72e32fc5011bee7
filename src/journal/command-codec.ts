import type { SpotMarketStatus, SpotMarketTerms } from '../domain/spot-market.ts';
import type { Side, SpotOrderType, SpotTimeInForce } from '../domain/spot-order.ts';
import type {
  CancelAllSpotOrders,
  CancelSpotOrder,
  Command,
  CommandType,
  CreateSpotMarket,
  CreditBalance,
  OpenAccount,
  PlaceSpotOrder,
  SetSpotMarketStatus,
  UpgradeRules,
} from '../engine/commands.ts';
import type { FieldReader } from './field-reader.ts';
import { codeTable, type FieldStream } from './field-stream.ts';
import type { FieldWriter } from './field-writer.ts';
import {
  futuresCommandTags,
  readFuturesCommand,
  writeFuturesCommand,
} from './futures-command-codec.ts';
import {
  readWalletCommand,
  walletCommandTags,
  writeWalletCommand,
} from './wallet-command-codec.ts';

// How each command is encoded in the journal. The numbers here are permanent: tags and codes are
// only appended, and a command whose fields change gets another tag while the old one stays
// readable.

export const commandTags = {
  openAccount: 1,
  createSpotMarket: 2,
  setSpotMarketStatus: 3,
  creditBalance: 4,
  placeSpotOrder: 5,
  cancelSpotOrder: 6,
  cancelAllSpotOrders: 7,
  upgradeRules: 8,
  ...futuresCommandTags,
  ...walletCommandTags,
} as const satisfies Record<CommandType, number>;

const sideCodes = codeTable<Side>({ buy: 1, sell: 2 });
const orderTypeCodes = codeTable<SpotOrderType>({ limit: 1, market: 2 });
const timeInForceCodes = codeTable<SpotTimeInForce>({ gtc: 1, ioc: 2, fok: 3, post_only: 4 });
const marketStatusCodes = codeTable<SpotMarketStatus>({ listed: 1, halted: 2, delisted: 3 });

/** Writes the command's fields at the writer's offset; returns the tag that identifies them. */
export function writeCommand(writer: FieldWriter, command: Command): number {
  switch (command.type) {
    case 'openAccount':
      openAccount(writer, command);
      break;
    case 'createSpotMarket':
      createSpotMarket(writer, command);
      break;
    case 'setSpotMarketStatus':
      setSpotMarketStatus(writer, command);
      break;
    case 'creditBalance':
      creditBalance(writer, command);
      break;
    case 'placeSpotOrder':
      placeSpotOrder(writer, command);
      break;
    case 'cancelSpotOrder':
      cancelSpotOrder(writer, command);
      break;
    case 'cancelAllSpotOrders':
      cancelAllSpotOrders(writer, command);
      break;
    case 'upgradeRules':
      upgradeRules(writer, command);
      break;
    case 'creditDeposit':
    case 'reserveWithdrawal':
    case 'completeWithdrawal':
    case 'releaseWithdrawal':
    case 'reopenWithdrawal':
      writeWalletCommand(writer, command);
      break;
    default:
      return writeFuturesCommand(writer, command);
  }
  return commandTags[command.type];
}

/** Reads the command identified by the tag. @throws FieldError on an unknown tag or code. */
export function readCommand(reader: FieldReader, tag: number): Command {
  switch (tag) {
    case commandTags.openAccount:
      return openAccount(reader);
    case commandTags.createSpotMarket:
      return createSpotMarket(reader);
    case commandTags.setSpotMarketStatus:
      return setSpotMarketStatus(reader);
    case commandTags.creditBalance:
      return creditBalance(reader);
    case commandTags.placeSpotOrder:
      return placeSpotOrder(reader);
    case commandTags.cancelSpotOrder:
      return cancelSpotOrder(reader);
    case commandTags.cancelAllSpotOrders:
      return cancelAllSpotOrders(reader);
    case commandTags.upgradeRules:
      return upgradeRules(reader);
    default:
      return readWalletCommand(reader, tag) ?? readFuturesCommand(reader, tag);
  }
}

// Each function declares its result type, so a missing or unknown field does not compile.

function openAccount(stream: FieldStream, command?: OpenAccount): OpenAccount {
  return { type: 'openAccount', address: stream.address(command?.address) };
}

function createSpotMarket(stream: FieldStream, command?: CreateSpotMarket): CreateSpotMarket {
  return { type: 'createSpotMarket', terms: marketTerms(stream, command?.terms) };
}

function marketTerms(stream: FieldStream, terms?: SpotMarketTerms): SpotMarketTerms {
  return {
    symbol: stream.text(terms?.symbol),
    baseToken: stream.text(terms?.baseToken),
    quoteToken: stream.text(terms?.quoteToken),
    tickSize: stream.bigint(terms?.tickSize),
    lotSize: stream.bigint(terms?.lotSize),
    minNotional: stream.bigint(terms?.minNotional),
    makerFeeBps: stream.integer(terms?.makerFeeBps),
    takerFeeBps: stream.integer(terms?.takerFeeBps),
  };
}

function setSpotMarketStatus(
  stream: FieldStream,
  command?: SetSpotMarketStatus,
): SetSpotMarketStatus {
  return {
    type: 'setSpotMarketStatus',
    symbol: stream.text(command?.symbol),
    status: stream.code(marketStatusCodes, command?.status),
  };
}

function creditBalance(stream: FieldStream, command?: CreditBalance): CreditBalance {
  return {
    type: 'creditBalance',
    address: stream.address(command?.address),
    token: stream.text(command?.token),
    amount: stream.bigint(command?.amount),
    actor: stream.text(command?.actor),
    reason: stream.nullableText(command?.reason),
    reference: stream.nullableText(command?.reference),
  };
}

function placeSpotOrder(stream: FieldStream, command?: PlaceSpotOrder): PlaceSpotOrder {
  return {
    type: 'placeSpotOrder',
    accountId: stream.integer(command?.accountId),
    marketId: stream.integer(command?.marketId),
    side: stream.code(sideCodes, command?.side),
    orderType: stream.code(orderTypeCodes, command?.orderType),
    timeInForce: stream.code(timeInForceCodes, command?.timeInForce),
    price: stream.nullableInteger(command?.price),
    quantity: stream.nullableInteger(command?.quantity),
    quoteQuantity: stream.nullableBigint(command?.quoteQuantity),
    clientOrderId: stream.nullableText(command?.clientOrderId),
  };
}

function cancelSpotOrder(stream: FieldStream, command?: CancelSpotOrder): CancelSpotOrder {
  return {
    type: 'cancelSpotOrder',
    accountId: stream.integer(command?.accountId),
    orderNumber: stream.integer(command?.orderNumber),
  };
}

function cancelAllSpotOrders(
  stream: FieldStream,
  command?: CancelAllSpotOrders,
): CancelAllSpotOrders {
  return {
    type: 'cancelAllSpotOrders',
    accountId: stream.integer(command?.accountId),
    marketId: stream.nullableInteger(command?.marketId),
  };
}

function upgradeRules(stream: FieldStream, command?: UpgradeRules): UpgradeRules {
  return { type: 'upgradeRules', rules: stream.integer(command?.rules) };
}
