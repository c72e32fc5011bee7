import { describe, expect, it } from 'vitest';
import { decodePack, encodePack, splitIntoPacks } from './request-pack.ts';

function recordOf(request: number, length = 8): Uint8Array {
  return new Uint8Array(length).fill(request % 256);
}

describe('packs of requests', () => {
  it('what is packed is what arrives, in its order', () => {
    const requests = [1, 2 ** 40, 3].map((request) => ({ request, record: recordOf(request) }));
    const found = decodePack(encodePack(requests));
    expect(found.map(({ request }) => request)).toEqual([1, 2 ** 40, 3]);
    expect(found.map(({ record }) => [...record])).toEqual(
      requests.map(({ record }) => [...record]),
    );
  });

  it('long records go in several packs', () => {
    const lengths = [100_000, 20_000, 20_000, 500_000, 10];
    const requests = lengths.map((length, request) => ({
      request,
      record: recordOf(request, length),
    }));
    const packs = splitIntoPacks(requests).map((pack) => pack.map(({ request }) => request));
    expect(packs).toEqual([[0, 1], [2], [3], [4]]);
  });

  it('bytes that are not a pack are refused', () => {
    const whole = encodePack([{ request: 1, record: recordOf(1) }]);
    for (let length = 1; length < whole.length; length += 1) {
      expect(() => decodePack(whole.subarray(0, length))).toThrow('a pack of requests ends');
    }
  });

  it('are as few as fit, each of at most 128 KiB with its numbers and lengths', () => {
    const whole = 128 * 1_024;
    const packsOf = (...lengths: readonly number[]): readonly number[] =>
      splitIntoPacks(
        lengths.map((length, request) => ({ request, record: recordOf(request, length) })),
      ).map((pack) => pack.length);
    expect(packsOf()).toEqual([]);
    expect(packsOf(whole - 30, 10)).toEqual([2]);
    expect(packsOf(whole - 30, 11)).toEqual([1, 1]);
    expect(packsOf(whole - 30, 0, 1)).toEqual([2, 1]);
    const [, second] = splitIntoPacks([
      { request: 1, record: recordOf(1, whole) },
      { request: 2, record: recordOf(2) },
    ]);
    expect(second).toEqual([{ request: 2, record: recordOf(2) }]);
  });

  it('hold requests without bytes, and none at all', () => {
    expect(decodePack(encodePack([]))).toEqual([]);
    const [only, ...others] = decodePack(encodePack([{ request: 5, record: new Uint8Array() }]));
    expect([only!.request, only!.record.length, others]).toEqual([5, 0, []]);
  });

  it('that end too early say where', () => {
    const whole = encodePack([{ request: 1, record: recordOf(1) }]);
    expect(() => decodePack(whole.subarray(0, 9))).toThrow('ends within a number');
    expect(() => decodePack(whole.subarray(0, 10))).toThrow('ends within a record');
    expect(() => decodePack(whole.subarray(0, 17))).toThrow('ends within a record');
  });
});
