import type { TimestampMs } from '../../../domain/identifiers.ts';
import type { ByteReader } from '../../snapshot/byte-reader.ts';
import type { ByteWriter } from '../../snapshot/byte-writer.ts';
import type { FuturesState } from '../futures-state.ts';
import { member, readBig, writeBig } from '../snapshot-values.ts';
import { delistingPhases } from './delisting.ts';

/** Encodes the delisting data of each market: its index samples, a plan, and what is left to do. */
export function encodeDelistings(writer: ByteWriter, { markets }: FuturesState): void {
  for (const { indexSamples, plannedDelisting, delisting } of markets) {
    indexSamples.encode(writer);
    writer.writeNumber(plannedDelisting?.at ?? 0);
    writeBig(writer, plannedDelisting?.price ?? null);
    writer.writeByte(delisting === null ? 0 : 1);
    if (delisting === null) continue;
    writer.writeByte(delistingPhases.indexOf(delisting.phase));
    writer.writeNumber(delisting.scan);
    writer.writeUint32(delisting.nextAccountId);
    writer.writeUint32(delisting.nextShortId);
  }
}

/** Versions below 8 delist at once, and contain no index samples. */
export function decodeDelistings(reader: ByteReader, { markets }: FuturesState): void {
  if (reader.version < 8) return;
  for (const market of markets) {
    market.indexSamples.decode(reader);
    const at = reader.readNumber() as TimestampMs;
    const price = readBig(reader);
    market.plannedDelisting = at === 0 ? null : { at, price };
    if (reader.readByte() === 0) continue;
    market.delisting = {
      phase: member(delistingPhases, reader.readByte()),
      scan: reader.readNumber(),
      nextAccountId: reader.readUint32(),
      nextShortId: reader.readUint32(),
    };
  }
}
