import { describe, expect, it } from 'vitest';
import { RecentOrigins } from './recent-origins.ts';

const origin = (request: number, place: number) => ({ process: 'a', request, place });

describe('recent origins', () => {
  it('are named at the places of any group that holds their commands', () => {
    const origins = new RecentOrigins({ monotonicMs: () => 0 }, 0);
    origins.note(1, [origin(7, 0), origin(8, 2)]);
    origins.note(4, [origin(9, 1)]);
    origins.note(4, [origin(9, 1)]);
    expect(origins.between(2, 5)).toEqual([origin(8, 1), origin(9, 3)]);
    expect(origins.between(6, 9)).toEqual([]);
  });

  it('of commands from before this process are unknown until nobody waits for them', () => {
    let now = 0;
    const origins = new RecentOrigins({ monotonicMs: () => now }, 10);
    origins.note(11, [origin(1, 0)]);
    expect(origins.between(10, 11)).toBeNull();
    expect(origins.between(11, 11)).toEqual([origin(1, 0)]);
    now = 15_001;
    expect(origins.between(10, 11)).toEqual([origin(1, 1)]);
    origins.noteUnknown(12);
    expect(origins.between(12, 13)).toBeNull();
  });

  it('are forgotten once nobody waits for them', () => {
    let now = 0;
    const origins = new RecentOrigins({ monotonicMs: () => now }, 0);
    for (let first = 1; first <= 2_500; first += 1) {
      now += 10;
      origins.note(first, [origin(first, 0)]);
    }
    expect(origins.between(1, 2_500)).toHaveLength(1_501);
  });
});
