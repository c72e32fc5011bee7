import type { ByteReader } from '../../snapshot/byte-reader.ts';
import type { ByteWriter } from '../../snapshot/byte-writer.ts';
import { samplesLeast, samplesWithinMs } from '../risk-limits.ts';

/** The index over the last half hour, one sample per second while it was fresh. */
export class IndexSamples {
  private times: number[] = [];
  private prices: bigint[] = [];

  /** Adds the sample of a second; `price` in 10^-8 USDT. */
  add(now: number, price: bigint): void {
    this.drop(now);
    this.times.push(now);
    this.prices.push(price);
  }

  /** Null if there are too few samples. */
  mean(now: number): bigint | null {
    let count = 0n;
    let sum = 0n;
    this.times.forEach((time, at) => {
      if (time <= now - samplesWithinMs) return;
      count += 1n;
      sum += this.prices[at] ?? 0n;
    });
    return count < samplesLeast ? null : sum / count;
  }

  /** Writes the samples for a snapshot. */
  encode(writer: ByteWriter): void {
    writer.writeUint32(this.times.length);
    this.times.forEach((time, at) => {
      writer.writeNumber(time);
      writer.writeAmount(this.prices[at] ?? 0n);
    });
  }

  /** Reads what `encode` wrote. */
  decode(reader: ByteReader): void {
    const count = reader.readUint32();
    for (let at = 0; at < count; at += 1) {
      this.times.push(reader.readNumber());
      this.prices.push(reader.readAmount());
    }
  }

  private drop(now: number): void {
    while (this.times.length > 0 && (this.times[0] ?? 0) <= now - samplesWithinMs) {
      this.times.shift();
      this.prices.shift();
    }
  }
}
