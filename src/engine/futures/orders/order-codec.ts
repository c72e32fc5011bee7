import { toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import {
  type CallbackBps,
  futuresOrderStatuses,
  futuresOrderTypes,
  futuresTimesInForce,
  orderOrigins,
  priceMatches,
  selfTradeModes,
  triggerPriceKinds,
} from '../../../domain/futures-order.ts';
import type { AccountId, OrderNumber, TimestampMs } from '../../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import { sides } from '../../../domain/spot-order.ts';
import type { ByteReader } from '../../snapshot/byte-reader.ts';
import type { ByteWriter } from '../../snapshot/byte-writer.ts';
import { member, readNullable, requireBig, writeBig, writeNullable } from '../snapshot-values.ts';
import type { OrderState } from './order-state.ts';

/** A live order in a snapshot. */
export interface SavedOrder {
  readonly order: OrderState;
  /** The best price since a trailing stop became active; null for all other orders. */
  readonly extreme: bigint | null;
}

/** Encodes a live order for a snapshot. */
export function encodeOrder(writer: ByteWriter, { order, extreme }: SavedOrder): void {
  writer.writeNumber(order.orderNumber);
  writer.writeUint32(order.accountId);
  writer.writeUint32(order.marketId);
  writer.writeTextOrNull(order.clientOrderId);
  writer.writeByte(sides.indexOf(order.side));
  writer.writeByte(futuresOrderTypes.indexOf(order.type));
  writer.writeByte(futuresTimesInForce.indexOf(order.timeInForce));
  writer.writeByte(futuresOrderStatuses.indexOf(order.status));
  writer.writeByte(triggerPriceKinds.indexOf(order.triggerPriceKind));
  writer.writeByte(selfTradeModes.indexOf(order.selfTradeMode));
  writer.writeByte(priceMatches.indexOf(order.priceMatch));
  writer.writeByte(orderOrigins.indexOf(order.origin));
  const flags = [
    order.isReduceOnly,
    order.isClosePosition,
    order.isPriceProtected,
    order.isAlgo,
    order.isResting,
    extreme !== null,
  ];
  for (const flag of flags) writer.writeByte(flag ? 1 : 0);
  writeNullable(writer, order.price);
  writer.writeNumber(order.quantity);
  writer.writeNumber(order.filledQuantity);
  writeBig(writer, order.filledQuote);
  writeNullable(writer, order.stopPrice);
  writeNullable(writer, order.activationPrice);
  writeNullable(writer, order.callback);
  writeNullable(writer, order.goodTill);
  writeNullable(writer, order.parentOrderNumber);
  writeNullable(writer, order.positionNumber);
  writer.writeNumber(order.coveredQuantity);
  writeNullable(writer, order.triggeredAt);
  writer.writeNumber(order.createdAt);
  writer.writeNumber(order.updatedAt);
  writeBig(writer, extreme ?? 0n);
}

/** Decodes what `encodeOrder` wrote. */
export function decodeOrder(reader: ByteReader): SavedOrder {
  const flag = (): boolean => reader.readByte() === 1;
  const { isActive, extreme, ...order } = {
    orderNumber: reader.readNumber() as OrderNumber,
    accountId: reader.readUint32() as AccountId,
    marketId: reader.readUint32() as FuturesMarketId,
    clientOrderId: reader.readTextOrNull(),
    side: member(sides, reader.readByte()),
    type: member(futuresOrderTypes, reader.readByte()),
    timeInForce: member(futuresTimesInForce, reader.readByte()),
    status: member(futuresOrderStatuses, reader.readByte()),
    triggerPriceKind: member(triggerPriceKinds, reader.readByte()),
    selfTradeMode: member(selfTradeModes, reader.readByte()),
    priceMatch: member(priceMatches, reader.readByte()),
    origin: member(orderOrigins, reader.readByte()),
    isReduceOnly: flag(),
    isClosePosition: flag(),
    isPriceProtected: flag(),
    isAlgo: flag(),
    isResting: flag(),
    hasChildren: false,
    isActive: flag(),
    price: readNullable(reader) as Ticks | null,
    quantity: reader.readNumber() as Lots,
    filledQuantity: reader.readNumber() as Lots,
    filledQuote: toAmount(requireBig(reader)),
    stopPrice: readNullable(reader) as Ticks | null,
    activationPrice: readNullable(reader) as Ticks | null,
    callback: readNullable(reader) as CallbackBps | null,
    goodTill: readNullable(reader) as TimestampMs | null,
    parentOrderNumber: readNullable(reader) as OrderNumber | null,
    positionNumber: reader.version >= 10 ? readNullable(reader) : null,
    coveredQuantity: (reader.version >= 10 ? reader.readNumber() : 0) as Lots,
    triggeredAt: readNullable(reader) as TimestampMs | null,
    createdAt: reader.readNumber() as TimestampMs,
    updatedAt: reader.readNumber() as TimestampMs,
    extreme: requireBig(reader),
  };
  return { order, extreme: isActive ? extreme : null };
}
