import { assert } from '../../../domain/assert.ts';
import type { ByteReader } from '../../snapshot/byte-reader.ts';
import type { ByteWriter } from '../../snapshot/byte-writer.ts';
import { type PositionSide, Ranking } from './ranking.ts';

const sides: readonly PositionSide[] = ['long', 'short'];

/**
 * Encodes a market's rankings for a snapshot, so that a liquidation that waits for one continues.
 */
export function encodeRankings(
  writer: ByteWriter,
  rankings: ReadonlyMap<PositionSide, Ranking>,
): void {
  writer.writeByte(rankings.size);
  for (const [side, { nextAccountId, finishedAt, best, price }] of rankings) {
    writer.writeByte(sides.indexOf(side));
    writer.writeNumber(nextAccountId);
    writer.writeByte(finishedAt === null ? 0 : 1);
    writer.writeNumber(finishedAt ?? 0);
    // A price is at least one tick.
    writer.writeNumber(price ?? 0);
    writer.writeUint32(best.count);
    for (let place = 0; place < best.count; place += 1) {
      writer.writeNumber(best.accountIdAt(place));
      writer.writeText(String(best.scoreAt(place)));
    }
  }
}

/** Decodes what `encodeRankings` wrote. */
export function decodeRankings(reader: ByteReader, rankings: Map<PositionSide, Ranking>): void {
  const count = reader.readByte();
  for (let at = 0; at < count; at += 1) {
    const side = sides[reader.readByte()];
    assert(side !== undefined, 'a ranking is of one side or the other');
    const nextAccountId = reader.readNumber();
    const isFinished = reader.readByte() === 1;
    const time = reader.readNumber();
    const price = reader.version < 10 ? 0 : reader.readNumber();
    const ranking = new Ranking(price === 0 ? null : price);
    ranking.nextAccountId = nextAccountId;
    if (isFinished) ranking.finishedAt = time;
    const ranked = reader.readUint32();
    for (let place = 0; place < ranked; place += 1) {
      ranking.best.add(reader.readNumber(), BigInt(reader.readText()));
    }
    rankings.set(side, ranking);
  }
}
