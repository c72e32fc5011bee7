import { describe, expect, it } from 'vitest';
import { DatabaseError } from '../../application/ports/database.ts';
import type { Sequence } from '../../domain/identifiers.ts';
import { PositionBarrier } from './position-barrier.ts';

const sequence = (number: number): Sequence => number as Sequence;

describe('PositionBarrier', () => {
  it('barrier: a position that the database has reached needs no wait', async () => {
    const barrier = new PositionBarrier(10_000);
    await barrier.waitFor(sequence(0));
    barrier.moveTo(sequence(5));
    await barrier.waitFor(sequence(5));
    expect(barrier.position).toBe(5);
  });

  it('barrier: waiters continue when their sequence is reached, the others keep waiting', async () => {
    const barrier = new PositionBarrier(10_000);
    const passed: number[] = [];
    const waits = [3, 1, 2].map((number) =>
      barrier.waitFor(sequence(number)).then(() => passed.push(number)),
    );
    barrier.moveTo(sequence(2));
    await Promise.all([waits[1], waits[2]]);
    expect(passed).toEqual([1, 2]);
    barrier.moveTo(sequence(3));
    await waits[0];
    expect(passed).toEqual([1, 2, 3]);
  });

  it('barrier: after the database has lost its newest transactions, reads wait for them again', async () => {
    const barrier = new PositionBarrier(10_000);
    barrier.moveTo(sequence(9));
    barrier.moveTo(sequence(4));
    let isPast = false;
    const waiting = barrier.waitFor(sequence(9)).then(() => {
      isPast = true;
    });
    await barrier.waitFor(sequence(4));
    expect(isPast).toBe(false);
    barrier.moveTo(sequence(9));
    await waiting;
    expect(isPast).toBe(true);
  });

  it('barrier: a timeout is a DatabaseError with the failure as its cause', async () => {
    const barrier = new PositionBarrier(5);
    barrier.moveTo(sequence(1));
    const cause = new Error('connection refused');
    barrier.fail(cause);
    const waiting = barrier.waitFor(sequence(2));
    await expect(waiting).rejects.toBeInstanceOf(DatabaseError);
    await expect(waiting).rejects.toMatchObject({
      message: 'the database is at position 1, not yet 2',
      cause,
    });
    barrier.moveTo(sequence(2));
    await barrier.waitFor(sequence(2));
  });
});
