import type { AccountId } from '../../../domain/identifiers.ts';
import type { ByteReader } from '../../snapshot/byte-reader.ts';
import type { ByteWriter } from '../../snapshot/byte-writer.ts';
import type { FuturesState } from '../futures-state.ts';
import { member, requireBig, writeBig } from '../snapshot-values.ts';
import { type CloseOut, type CloseOutLeg, closeOutStages } from './close-out.ts';
import { countSettling } from './count-settling.ts';
import { reservationOf } from './insurance.ts';

/** Encodes the close-outs for a snapshot; each continues with the prices that it began with. */
export function encodeCloseOuts(writer: ByteWriter, state: FuturesState): void {
  writer.writeNumber(state.closeOutNumber);
  writer.writeUint32(state.closeOuts.size);
  for (const closeOut of state.closeOuts.values()) {
    writer.writeNumber(closeOut.number);
    writer.writeUint32(closeOut.accountId);
    writer.writeNumber(closeOut.begunAt);
    writer.writeByte(closeOutStages.indexOf(closeOut.stage));
    writer.writeByte(closeOut.hasEndedOrders ? 1 : 0);
    writer.writeNumber(closeOut.sliceAt);
    writeBig(writer, closeOut.closedNotional);
    writeBig(writer, closeOut.deficit);
    writer.writeUint32(closeOut.legs.size);
    for (const [marketId, { bankruptcy, deleverageAt }] of closeOut.legs) {
      writer.writeUint32(marketId);
      writer.writeNumber(bankruptcy);
      writer.writeNumber(deleverageAt ?? 0);
    }
  }
}

/** Decodes what `encodeCloseOuts` wrote. */
export function decodeCloseOuts(reader: ByteReader, state: FuturesState): void {
  state.closeOutNumber = reader.readNumber();
  const count = reader.readUint32();
  for (let at = 0; at < count; at += 1) {
    const closeOut = decodeCloseOut(reader, state);
    state.closeOuts.set(closeOut.accountId, closeOut);
    state.insuranceHeld += reservationOf(state, closeOut);
    countSettling(state, closeOut);
  }
}

function decodeCloseOut(reader: ByteReader, state: FuturesState): CloseOut {
  const number = reader.readNumber();
  const accountId = reader.readUint32() as AccountId;
  // All close-outs of version 7 are in their final stage.
  const isStaged = reader.version >= 8;
  const begunAt = isStaged ? reader.readNumber() : state.now;
  const stage = isStaged ? member(closeOutStages, reader.readByte()) : 'final';
  const hasEndedOrders = isStaged && reader.readByte() === 1;
  const sliceAt = isStaged ? reader.readNumber() : 0;
  const closedNotional = requireBig(reader);
  const deficit = isStaged ? requireBig(reader) : 0n;
  const legs = new Map<number, CloseOutLeg>();
  const legCount = reader.readUint32();
  for (let leg = 0; leg < legCount; leg += 1) {
    const marketId = reader.readUint32();
    const bankruptcy = reader.readNumber();
    const deleverageAt = reader.readNumber();
    legs.set(marketId, { bankruptcy, deleverageAt: deleverageAt === 0 ? null : deleverageAt });
  }
  return {
    number,
    accountId,
    begunAt,
    stage,
    hasEndedOrders,
    sliceAt,
    closedNotional,
    deficit,
    legs,
    settlesIn: [],
  };
}
