import type { AccountId } from '../../../domain/identifiers.ts';
import type { ByteReader } from '../../snapshot/byte-reader.ts';
import type { ByteWriter } from '../../snapshot/byte-writer.ts';
import type { FuturesState } from '../futures-state.ts';
import { requireBig, writeBig } from '../snapshot-values.ts';
import type { CloseOutLeg } from './close-out.ts';

/** The close-outs in a snapshot: each goes on with the prices that it began with. */
export function encodeCloseOuts(writer: ByteWriter, state: FuturesState): void {
  writer.writeNumber(state.closeOutNumber);
  writer.writeUint32(state.closeOuts.size);
  for (const { number, accountId, closedNotional, legs } of state.closeOuts.values()) {
    writer.writeNumber(number);
    writer.writeUint32(accountId);
    writeBig(writer, closedNotional);
    writer.writeUint32(legs.size);
    for (const [marketId, { bankruptcy, deleverageAt }] of legs) {
      writer.writeUint32(marketId);
      writer.writeNumber(bankruptcy);
      writer.writeNumber(deleverageAt ?? 0);
    }
  }
}

export function decodeCloseOuts(reader: ByteReader, state: FuturesState): void {
  state.closeOutNumber = reader.readNumber();
  const count = reader.readUint32();
  for (let at = 0; at < count; at += 1) {
    const number = reader.readNumber();
    const accountId = reader.readUint32() as AccountId;
    const closedNotional = requireBig(reader);
    const legs = new Map<number, CloseOutLeg>();
    const legCount = reader.readUint32();
    for (let leg = 0; leg < legCount; leg += 1) {
      const marketId = reader.readUint32();
      const bankruptcy = reader.readNumber();
      const deleverageAt = reader.readNumber();
      legs.set(marketId, { bankruptcy, deleverageAt: deleverageAt === 0 ? null : deleverageAt });
    }
    state.closeOuts.set(accountId, { number, accountId, closedNotional, legs });
  }
}
