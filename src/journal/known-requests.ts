import type { TimestampMs } from '../domain/identifiers.ts';
import type { RequestDigest } from '../domain/request-digest.ts';
import type { Command } from '../engine/commands.ts';
import { DigestSet, digestBytes } from './digest-set.ts';

// Which signed requests the journal holds, so that none is accepted twice. What is remembered
// depends on the records alone: each process that has applied the same ones remembers the same.

/** How far from the true time a request's own timestamp can be when it is accepted. */
const windowMs = 60_000;
/** For gateways whose clock differs from that of the records. */
const marginMs = 5_000;
const bucketMs = 10_000;
const headBytes = 20;
const bucketHeadBytes = 12;
/** Programs with older rules cannot read records with digests. */
const digestsSinceRules = 12;
/** The age of requests that can be in flight when the rules are raised. */
const underWayMs = 1_000;

/** Whether records by these rules name the signed requests that they come from. */
export function areDigestsKept(rules: number): boolean {
  return rules >= digestsSinceRules;
}

/** The digests of signed requests that could be received again. */
export class KnownRequests {
  readonly #buckets = new Map<number, DigestSet>();
  #newestMs = 0;
  #forgottenMs = 0;

  get isEmpty(): boolean {
    return this.#buckets.size === 0 && this.#forgottenMs === 0;
  }

  has(digest: RequestDigest): boolean {
    return this.#buckets.get(bucketOf(digest))?.has(digest) ?? false;
  }

  /** Whether requests as old as this one are not remembered any more. */
  isTooOld({ timestampMs }: RequestDigest): boolean {
    return timestampMs < this.#forgottenMs;
  }

  /**
   * Remembers the request of a record with that command; the rules are those by which it is
   * applied. What was accepted before the first records with digests is unknown, so it counts as
   * forgotten.
   */
  note(command: Command, digest: RequestDigest | null, time: TimestampMs, rules: number): void {
    if (digest !== null) this.add(digest, time);
    if (command.type !== 'upgradeRules' || areDigestsKept(rules)) return;
    this.#forgottenMs = Math.max(this.#forgottenMs, time - underWayMs);
  }

  /** Remembers the request of a command that is applied at that time. */
  add(digest: RequestDigest, time: TimestampMs): void {
    const number = bucketOf(digest);
    this.#newestMs = Math.max(this.#newestMs, digest.timestampMs);
    let bucket = this.#buckets.get(number);
    if (bucket === undefined) {
      this.#forgetExpired(time);
      bucket = new DigestSet();
      this.#buckets.set(number, bucket);
    }
    bucket.add(digest);
  }

  // Two clocks have to agree: that of the records and that of the newest request, which one gateway
  // has checked. A request at the oldest end of the window is twice as far from one at its newest.
  #forgetExpired(time: TimestampMs): void {
    const oldest = Math.min(time - windowMs, this.#newestMs - 2 * windowMs) - marginMs;
    this.#forgottenMs = Math.max(this.#forgottenMs, Math.floor(oldest / bucketMs) * bucketMs);
    for (const number of this.#buckets.keys()) {
      if ((number + 1) * bucketMs <= this.#forgottenMs) this.#buckets.delete(number);
    }
  }

  /** All that is remembered; `decodeRequests` reads it. Empty if nothing is. */
  encode(): Uint8Array {
    if (this.isEmpty) return new Uint8Array();
    const parts = [...this.#buckets].map(([number, bucket]) => {
      const digests = bucket.encode();
      const head = Buffer.alloc(bucketHeadBytes);
      head.writeDoubleLE(number);
      head.writeUInt32LE(digests.length / digestBytes, 8);
      return Buffer.concat([head, digests]);
    });
    const head = Buffer.alloc(headBytes);
    head.writeDoubleLE(this.#newestMs);
    head.writeDoubleLE(this.#forgottenMs, 8);
    head.writeUInt32LE(parts.length, 16);
    return Buffer.concat([head, ...parts]);
  }

  /** Replaces all that is remembered by what `encode` returned. */
  restore(encoded: Uint8Array): void {
    this.#buckets.clear();
    if (encoded.length === 0) return;
    const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
    this.#newestMs = bytes.readDoubleLE();
    this.#forgottenMs = bytes.readDoubleLE(8);
    let at = headBytes;
    for (let left = bytes.readUInt32LE(16); left > 0; left -= 1) {
      const number = bytes.readDoubleLE(at);
      const end = at + bucketHeadBytes + bytes.readUInt32LE(at + 8) * digestBytes;
      this.#buckets.set(number, DigestSet.decode(bytes.subarray(at + bucketHeadBytes, end)));
      at = end;
    }
  }
}

function bucketOf({ timestampMs }: RequestDigest): number {
  return Math.floor(timestampMs / bucketMs);
}
