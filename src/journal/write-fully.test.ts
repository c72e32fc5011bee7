import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeFully } from './write-fully.ts';

test('writeFully: however few bytes each write accepts, all are written once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
      async (bytes, takes) => {
        const written: number[] = [];
        let call = 0;
        await writeFully((from, length, done) => {
          const count = Math.min(length, takes[call % takes.length]!);
          call += 1;
          written.push(...bytes.subarray(from, from + count));
          done(null, count);
        }, bytes.length);
        expect(written).toEqual([...bytes]);
      },
    ),
  );
});

test('writeFully: an error after some bytes is reported and not retried', async () => {
  const failure = new Error('EIO');
  let calls = 0;
  const writing = writeFully((_from, _length, done) => {
    calls += 1;
    if (calls === 1) done(null, 3);
    else done(failure, 0);
  }, 10);
  await expect(writing).rejects.toBe(failure);
  expect(calls).toBe(2);
});

test('writeFully: a write of zero bytes is a failure, not a loop', async () => {
  const writing = writeFully((_from, _length, done) => done(null, 0), 10);
  await expect(writing).rejects.toThrow('the system wrote 0 bytes');
});
