import { describe, expect, it } from 'vitest';
import type { TimestampMs } from '../domain/identifiers.ts';
import { digestOf, digestOfPart, type RequestDigest } from '../domain/request-digest.ts';
import { KnownRequests } from './known-requests.ts';

const begin = 1_767_571_200_000;
const time = (sinceBegin: number): TimestampMs => (begin + sinceBegin) as TimestampMs;

function digest(number: number, timestampMs = begin): RequestDigest {
  const signature = number.toString(16).padStart(32, '0').split('').reverse().join('');
  return digestOf(signature.padEnd(64, '7'), timestampMs);
}

describe('the digests of signed requests', () => {
  it('the same digest is known, another one is not', () => {
    const requests = new KnownRequests();
    for (let number = 0; number < 5_000; number += 1) requests.add(digest(2 * number), time(0));
    for (let number = 0; number < 5_000; number += 1) {
      expect(requests.has(digest(2 * number))).toBe(true);
      expect(requests.has(digest(2 * number + 1))).toBe(false);
    }
  });

  it('the parts of one request are different requests', () => {
    const requests = new KnownRequests();
    const parts = [0, 1, 2, 3, 4].map((index) => digestOfPart(digest(1), index));
    for (const [index, part] of parts.entries()) {
      expect(requests.has(part)).toBe(false);
      requests.add(part, time(index));
    }
    expect(parts.every((part) => requests.has(part))).toBe(true);
  });

  it('a request is known for as long as its timestamp is within 60 s', () => {
    const requests = new KnownRequests();
    requests.add(digest(1, begin + 60_000), time(0));
    requests.add(digest(2, begin + 119_000), time(119_999));
    expect(requests.has(digest(1, begin + 60_000))).toBe(true);
    expect(requests.isTooOld(digest(1, begin + 60_000))).toBe(false);
  });

  it('what is forgotten is too old to be accepted', () => {
    const requests = new KnownRequests();
    requests.add(digest(1), time(0));
    requests.add(digest(2, begin + 200_000), time(200_000));
    expect(requests.has(digest(1))).toBe(false);
    expect(requests.isTooOld(digest(1))).toBe(true);
    expect(requests.isTooOld(digest(3, begin + 140_000))).toBe(false);
  });

  it('one wrong clock makes no request too old, whether it is that of the records or of a gateway', () => {
    const hour = 3_600_000;
    const ofRecords = new KnownRequests();
    ofRecords.add(digest(1), time(hour));
    ofRecords.add(digest(2, begin + 30_000), time(hour));
    expect(ofRecords.has(digest(1))).toBe(true);
    expect(ofRecords.isTooOld(digest(3, begin - 30_000))).toBe(false);
    const ofGateway = new KnownRequests();
    ofGateway.add(digest(1), time(0));
    ofGateway.add(digest(2, begin + hour), time(0));
    expect(ofGateway.has(digest(1))).toBe(true);
    expect(ofGateway.isTooOld(digest(3, begin - 30_000))).toBe(false);
  });

  it('encoded and restored, the same requests are known and the same are too old', () => {
    const requests = new KnownRequests();
    for (let number = 0; number < 3_000; number += 1) {
      const at = begin + number * 100;
      requests.add(digest(number, at), at as TimestampMs);
    }
    const restored = new KnownRequests();
    restored.restore(requests.encode());
    for (let number = 0; number < 3_000; number += 1) {
      const each = digest(number, begin + number * 100);
      expect(restored.has(each)).toBe(requests.has(each));
      expect(restored.isTooOld(each)).toBe(requests.isTooOld(each));
    }
    expect(restored.isTooOld(digest(0))).toBe(true);
    expect(restored.has(digest(2_999, begin + 299_900))).toBe(true);
  });

  it('without requests nothing is encoded', () => {
    expect(new KnownRequests().encode()).toHaveLength(0);
  });
});
