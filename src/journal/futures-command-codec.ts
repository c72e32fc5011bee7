import { assertNever } from '../domain/assert.ts';
import type {
  FuturesOrderType,
  FuturesTimeInForce,
  PriceMatch,
  SelfTradeMode,
  TriggerPriceKind,
} from '../domain/futures-order.ts';
import type { Side } from '../domain/spot-order.ts';
import type * as futures from '../engine/futures-commands.ts';
import type { FieldReader } from './field-reader.ts';
import { codeTable, FieldError, type FieldStream } from './field-stream.ts';
import type { FieldWriter } from './field-writer.ts';
import {
  createFuturesMarket,
  createUnguardedMarket,
  plainMarketStatus,
  setFuturesMarketStatus,
  setIndexPrice,
} from './futures-market-codec.ts';
import { holdWithdrawals, moveHouseFunds } from './house-command-codec.ts';

// The futures commands in the journal; tags and codes are permanent, as in command-codec.ts.

export const futuresCommandTags = {
  createFuturesMarket: 33,
  setFuturesMarketStatus: 35,
  setIndexPrice: 22,
  advanceTime: 23,
  transferFunds: 24,
  setLeverage: 25,
  setAccountFees: 26,
  placeFuturesOrder: 27,
  amendFuturesOrder: 36,
  cancelFuturesOrder: 29,
  cancelAllFuturesOrders: 30,
  setCountdownCancel: 37,
  reservePerpFunds: 32,
  moveHouseFunds: 34,
  holdWithdrawals: 38,
} as const satisfies Record<futures.FuturesCommand['type'], number>;

/** A market created without guards gets the usual ones. */
const unguardedMarketTag = 20;
/** A status set without a settlement price or a time. */
const plainStatusTag = 21;
/** An amendment without a client order id. */
const namelessAmendmentTag = 28;
/** A countdown of all orders. */
const plainCountdownTag = 31;

const sideCodes = codeTable<Side>({ buy: 1, sell: 2 });
const orderTypeCodes = codeTable<FuturesOrderType>({
  limit: 1,
  market: 2,
  stop: 3,
  take_profit: 4,
  stop_market: 5,
  take_profit_market: 6,
  trailing_stop_market: 7,
});
const timeInForceCodes = codeTable<FuturesTimeInForce>({ gtc: 1, ioc: 2, fok: 3, gtx: 4, gtd: 5 });
const triggerKindCodes = codeTable<TriggerPriceKind>({ contract: 1, mark: 2 });
const selfTradeCodes = codeTable<SelfTradeMode>({
  expire_taker: 1,
  expire_maker: 2,
  expire_both: 3,
});
const priceMatchCodes = codeTable<PriceMatch>({
  none: 1,
  opponent: 2,
  opponent_5: 3,
  opponent_10: 4,
  opponent_20: 5,
  queue: 6,
  queue_5: 7,
  queue_10: 8,
  queue_20: 9,
});
const directionCodes = codeTable<futures.TransferFunds['direction']>({
  spot_to_perp: 1,
  perp_to_spot: 2,
});
const cancelKindCodes = codeTable<futures.CancelAllFuturesOrders['kind']>({ all: 1, algo: 2 });
const countdownKindCodes = codeTable<futures.CountdownKind>({ all: 1, resting: 2 });
const reserveStepCodes = codeTable<futures.ReservePerpFunds['step']>({
  reserve: 1,
  release: 2,
  pay_out: 3,
});
const flagCodes = codeTable<'no' | 'yes'>({ no: 1, yes: 2 });

/** Writes the command's fields at the writer's offset; returns the tag that identifies them. */
export function writeFuturesCommand(writer: FieldWriter, command: futures.FuturesCommand): number {
  switch (command.type) {
    case 'placeFuturesOrder':
      placeFuturesOrder(writer, command);
      break;
    case 'cancelFuturesOrder':
      cancelFuturesOrder(writer, command);
      break;
    case 'amendFuturesOrder':
      amendFuturesOrder(writer, command);
      break;
    case 'cancelAllFuturesOrders':
      cancelAllFuturesOrders(writer, command);
      break;
    case 'advanceTime':
      break;
    case 'createFuturesMarket':
      createFuturesMarket(writer, command);
      break;
    case 'setFuturesMarketStatus':
      setFuturesMarketStatus(writer, command);
      break;
    case 'setIndexPrice':
      setIndexPrice(writer, command);
      break;
    case 'transferFunds':
      transferFunds(writer, command);
      break;
    case 'setLeverage':
      setLeverage(writer, command);
      break;
    case 'setAccountFees':
      setAccountFees(writer, command);
      break;
    case 'setCountdownCancel':
      setCountdownCancel(writer, command);
      break;
    case 'reservePerpFunds':
      reservePerpFunds(writer, command);
      break;
    case 'moveHouseFunds':
      moveHouseFunds(writer, command);
      break;
    case 'holdWithdrawals':
      holdWithdrawals(writer, command);
      break;
    default:
      return assertNever(command);
  }
  return futuresCommandTags[command.type];
}

const readers = new Map<number, (reader: FieldReader) => futures.FuturesCommand>([
  [futuresCommandTags.createFuturesMarket, (reader) => createFuturesMarket(reader)],
  [unguardedMarketTag, (reader) => createUnguardedMarket(reader)],
  [futuresCommandTags.setFuturesMarketStatus, (reader) => setFuturesMarketStatus(reader)],
  [plainStatusTag, plainMarketStatus],
  [futuresCommandTags.setIndexPrice, (reader) => setIndexPrice(reader)],
  [futuresCommandTags.advanceTime, () => ({ type: 'advanceTime' })],
  [futuresCommandTags.transferFunds, (reader) => transferFunds(reader)],
  [futuresCommandTags.setLeverage, (reader) => setLeverage(reader)],
  [futuresCommandTags.setAccountFees, (reader) => setAccountFees(reader)],
  [futuresCommandTags.placeFuturesOrder, (reader) => placeFuturesOrder(reader)],
  [futuresCommandTags.amendFuturesOrder, (reader) => amendFuturesOrder(reader)],
  [namelessAmendmentTag, (reader) => ({ ...namelessAmendment(reader), modifyId: null })],
  [futuresCommandTags.cancelFuturesOrder, (reader) => cancelFuturesOrder(reader)],
  [futuresCommandTags.cancelAllFuturesOrders, (reader) => cancelAllFuturesOrders(reader)],
  [futuresCommandTags.setCountdownCancel, (reader) => setCountdownCancel(reader)],
  [plainCountdownTag, (reader) => ({ ...plainCountdown(reader), kind: 'all' })],
  [futuresCommandTags.reservePerpFunds, (reader) => reservePerpFunds(reader)],
  [futuresCommandTags.moveHouseFunds, (reader) => moveHouseFunds(reader)],
  [futuresCommandTags.holdWithdrawals, (reader) => holdWithdrawals(reader)],
]);

/** Reads the command identified by the tag. @throws FieldError on an unknown tag or code. */
export function readFuturesCommand(reader: FieldReader, tag: number): futures.FuturesCommand {
  const read = readers.get(tag);
  if (read === undefined) throw new FieldError(`unknown tag ${tag}`);
  return read(reader);
}

function flag(stream: FieldStream, value?: boolean): boolean {
  const code = value === undefined ? undefined : value ? 'yes' : 'no';
  return stream.code(flagCodes, code) === 'yes';
}

function transferFunds(
  stream: FieldStream,
  command?: futures.TransferFunds,
): futures.TransferFunds {
  return {
    type: 'transferFunds',
    accountId: stream.integer(command?.accountId),
    direction: stream.code(directionCodes, command?.direction),
    amount: stream.bigint(command?.amount),
    clientTransferId: stream.nullableText(command?.clientTransferId),
  };
}

function setLeverage(stream: FieldStream, command?: futures.SetLeverage): futures.SetLeverage {
  return {
    type: 'setLeverage',
    accountId: stream.integer(command?.accountId),
    marketId: stream.integer(command?.marketId),
    leverage: stream.integer(command?.leverage),
  };
}

function setAccountFees(
  stream: FieldStream,
  command?: futures.SetAccountFees,
): futures.SetAccountFees {
  return {
    type: 'setAccountFees',
    accountId: stream.integer(command?.accountId),
    vipTier: stream.integer(command?.vipTier),
    vipMultiplierTenths: stream.integer(command?.vipMultiplierTenths),
    referralDiscountBps: stream.integer(command?.referralDiscountBps),
  };
}

function attachedTrigger(
  stream: FieldStream,
  trigger?: futures.AttachedTrigger | null,
): futures.AttachedTrigger | null {
  const isPresent = flag(stream, trigger === undefined ? undefined : trigger !== null);
  if (!isPresent) return null;
  return {
    stopPrice: stream.integer(trigger?.stopPrice),
    triggerPriceKind: stream.code(triggerKindCodes, trigger?.triggerPriceKind),
  };
}

function placeFuturesOrder(
  stream: FieldStream,
  command?: futures.PlaceFuturesOrder,
): futures.PlaceFuturesOrder {
  return {
    type: 'placeFuturesOrder',
    accountId: stream.integer(command?.accountId),
    marketId: stream.integer(command?.marketId),
    side: stream.code(sideCodes, command?.side),
    orderType: stream.code(orderTypeCodes, command?.orderType),
    timeInForce: stream.code(timeInForceCodes, command?.timeInForce),
    price: stream.nullableInteger(command?.price),
    priceMatch: stream.code(priceMatchCodes, command?.priceMatch),
    quantity: stream.nullableInteger(command?.quantity),
    clientOrderId: stream.nullableText(command?.clientOrderId),
    worstPrice: stream.nullableInteger(command?.worstPrice),
    stopPrice: stream.nullableInteger(command?.stopPrice),
    triggerPriceKind: stream.code(triggerKindCodes, command?.triggerPriceKind),
    activationPrice: stream.nullableInteger(command?.activationPrice),
    callback: stream.nullableInteger(command?.callback),
    isReduceOnly: flag(stream, command?.isReduceOnly),
    isClosePosition: flag(stream, command?.isClosePosition),
    isPriceProtected: flag(stream, command?.isPriceProtected),
    selfTradeMode: stream.code(selfTradeCodes, command?.selfTradeMode),
    goodTill: stream.nullableInteger(command?.goodTill),
    isAlgo: flag(stream, command?.isAlgo),
    takeProfit: attachedTrigger(stream, command?.takeProfit),
    stopLoss: attachedTrigger(stream, command?.stopLoss),
  };
}

function amendFuturesOrder(
  stream: FieldStream,
  command?: futures.AmendFuturesOrder,
): futures.AmendFuturesOrder {
  return {
    ...namelessAmendment(stream, command),
    modifyId: stream.nullableInteger(command?.modifyId),
  };
}

function namelessAmendment(
  stream: FieldStream,
  command?: futures.AmendFuturesOrder,
): Omit<futures.AmendFuturesOrder, 'modifyId'> {
  const accountId = stream.integer(command?.accountId);
  const orderNumber = stream.integer(command?.orderNumber);
  const hasSide = flag(stream, command === undefined ? undefined : command.side !== null);
  return {
    type: 'amendFuturesOrder',
    accountId,
    orderNumber,
    side: hasSide ? stream.code(sideCodes, command?.side ?? undefined) : null,
    price: stream.nullableInteger(command?.price),
    priceMatch: stream.code(priceMatchCodes, command?.priceMatch),
    quantity: stream.integer(command?.quantity),
  };
}

function cancelFuturesOrder(
  stream: FieldStream,
  command?: futures.CancelFuturesOrder,
): futures.CancelFuturesOrder {
  return {
    type: 'cancelFuturesOrder',
    accountId: stream.integer(command?.accountId),
    orderNumber: stream.integer(command?.orderNumber),
  };
}

function cancelAllFuturesOrders(
  stream: FieldStream,
  command?: futures.CancelAllFuturesOrders,
): futures.CancelAllFuturesOrders {
  return {
    type: 'cancelAllFuturesOrders',
    accountId: stream.integer(command?.accountId),
    marketId: stream.nullableInteger(command?.marketId),
    kind: stream.code(cancelKindCodes, command?.kind),
  };
}

function setCountdownCancel(
  stream: FieldStream,
  command?: futures.SetCountdownCancel,
): futures.SetCountdownCancel {
  return {
    ...plainCountdown(stream, command),
    kind: stream.code(countdownKindCodes, command?.kind),
  };
}

function plainCountdown(
  stream: FieldStream,
  command?: futures.SetCountdownCancel,
): Omit<futures.SetCountdownCancel, 'kind'> {
  return {
    type: 'setCountdownCancel',
    accountId: stream.integer(command?.accountId),
    marketId: stream.integer(command?.marketId),
    cancelAt: stream.nullableInteger(command?.cancelAt),
  };
}

function reservePerpFunds(
  stream: FieldStream,
  command?: futures.ReservePerpFunds,
): futures.ReservePerpFunds {
  return {
    type: 'reservePerpFunds',
    accountId: stream.integer(command?.accountId),
    amount: stream.bigint(command?.amount),
    step: stream.code(reserveStepCodes, command?.step),
    reference: stream.text(command?.reference),
  };
}
