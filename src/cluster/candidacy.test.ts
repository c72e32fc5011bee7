import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { Candidacy, type CandidacyOptions, isWeakness, type Weakness } from './candidacy.ts';
import type { MemberFile } from './member-file.ts';
import { noMembers } from './member-list.ts';
import type { IsEnough, RollAnswer, RollCall } from './roll-call.ts';

/** A member of a list of two. */
const member = {
  member: 'a',
  list: { ...noMembers, members: ['a', 'b'] },
} as unknown as MemberFile;

describe('whether a process may own the exchange', () => {
  let now: number;
  let wallMs: number;
  let statistics: { isSpaceMissing: boolean; writePendingMs: number };
  let weakness: Weakness | null;
  let lines: { readonly level: number; readonly msg: string; readonly unfitness?: string }[];
  let others: RollAnswer[];
  let asked: number;
  const rollCall = {
    ask: async (isEnough: IsEnough, epoch: number | null) => {
      expect(epoch).toBeNull();
      asked += 1;
      isEnough(others);
      return others;
    },
  } as unknown as RollCall;

  beforeEach(() => {
    now = 50_000;
    wallMs = 1_000_000;
    statistics = { isSpaceMissing: false, writePendingMs: 0 };
    weakness = null;
    lines = [];
    others = [];
    asked = 0;
  });

  function candidacyOf(options: Partial<CandidacyOptions> = {}): Candidacy {
    const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[0]);
    return new Candidacy({
      sequencer: { statistics } as unknown as CandidacyOptions['sequencer'],
      weakness: () => weakness,
      time: { wallMs: () => wallMs, monotonicMs: () => now },
      logger: pino({ base: null, timestamp: false }, { write }),
      ...options,
    });
  }

  it('depends on its disk, which counts as slow for ten seconds after a write of two', () => {
    const candidacy = candidacyOf();
    statistics.writePendingMs = 2_000;
    expect(candidacy.unfitness).toBeNull();
    statistics.writePendingMs = 2_001;
    expect(candidacy.unfitness).toBe('disk slow');
    statistics.writePendingMs = 0;
    now += 9_999;
    expect(candidacy.unfitness).toBe('disk slow');
    statistics.isSpaceMissing = true;
    expect(candidacy.unfitness).toBe('disk full');
    statistics.isSpaceMissing = false;
    now += 1;
    expect(candidacy.unfitness).toBeNull();
  });

  it('depends on its clock, and on what else makes it weak', async () => {
    const candidacy = candidacyOf({ databaseTime: async () => wallMs - 1_000 });
    candidacy.clock.noteServer({ storedAt: 0, wallBefore: 1_000, wallAfter: 1_000 });
    weakness = 'disk low';
    expect(candidacy.unfitness).toBe('disk low');
    await candidacy.clock.check();
    expect(candidacy.unfitness).toBe('clock');
    const bare = new Candidacy({
      sequencer: { statistics } as unknown as CandidacyOptions['sequencer'],
      time: { wallMs: () => wallMs, monotonicMs: () => now },
      logger: pino({ level: 'silent' }),
    });
    expect(bare.unfitness).toBeNull();
  });

  it('is reported to the others', () => {
    expect(candidacyOf().report).toEqual({ isFit: true, mayOwn: true });
    expect(candidacyOf({ mayOwn: false }).report).toEqual({ isFit: false, mayOwn: false });
    weakness = 'loop slow';
    expect(candidacyOf().report).toEqual({ isFit: false, mayOwn: true });
  });

  it('is logged when it changes', () => {
    const candidacy = candidacyOf();
    candidacy.check();
    expect(lines).toEqual([]);
    weakness = 'disk low';
    candidacy.check();
    candidacy.check();
    weakness = 'loop slow';
    candidacy.check();
    weakness = null;
    candidacy.check();
    candidacy.check();
    const unfit = { level: 50, msg: 'this process is unfit to own the exchange' };
    expect(lines).toEqual([
      { ...unfit, unfitness: 'disk low' },
      { ...unfit, unfitness: 'loop slow' },
      { level: 30, msg: 'this process is fit to own the exchange again' },
    ]);
  });

  it('compares the clocks at each check', () => {
    let reads = 0;
    const databaseTime = async (): Promise<null> => {
      reads += 1;
      return null;
    };
    candidacyOf({ databaseTime }).check();
    expect(reads).toBe(1);
  });

  it('is no for a process that is no member, or whose role excludes it', () => {
    expect(candidacyOf().mayTake(member, false)).toBe(true);
    const stranger = { ...member, member: 'c' } as MemberFile;
    expect(candidacyOf().mayTake(stranger, false)).toBe(false);
    expect(candidacyOf({ mayOwn: false }).mayTake(member, false)).toBe(false);
    expect(candidacyOf({ mayOwn: true }).mayTake(member, false)).toBe(true);
  });

  it('is no for one second after it has given way, and always once it ends', () => {
    const candidacy = candidacyOf();
    candidacy.pause();
    now += 999;
    expect(candidacy.mayTake(member, false)).toBe(false);
    now += 1;
    expect(candidacy.mayTake(member, false)).toBe(true);
    candidacy.end();
    expect(candidacy.mayTake(member, false)).toBe(false);
  });

  it.each(['disk low', 'loop slow'] as const)(
    'is yes in spite of a weakness (%s) after two seconds without an owner',
    (found) => {
      const candidacy = candidacyOf();
      weakness = found;
      expect(candidacy.mayTake(member, false)).toBe(false);
      now += 1_999;
      expect(candidacy.mayTake(member, false)).toBe(false);
      expect(candidacy.mayTake(member, true)).toBe(false);
      now += 1;
      expect(candidacy.mayTake(member, false)).toBe(false);
      now += 2_000;
      expect(candidacy.mayTake(member, true)).toBe(false);
      expect(candidacy.mayTake(member, false)).toBe(false);
      now += 2_000;
      expect(candidacy.mayTake(member, false)).toBe(true);
    },
  );

  it('is never yes with a full disk', () => {
    const candidacy = candidacyOf();
    statistics.isSpaceMissing = true;
    candidacy.mayTake(member, false);
    now += 60_000;
    expect(candidacy.mayTake(member, false)).toBe(false);
    expect(isWeakness('disk full')).toBe(false);
  });

  describe('as its owner', () => {
    const fit = { isFit: true } as RollAnswer;
    const unfit = { isFit: false } as RollAnswer;

    it('does not end while it is fit, even if another is', async () => {
      others = [fit];
      expect(await candidacyOf().mustStepDown(rollCall)).toBe(false);
      expect(asked).toBe(0);
    });

    it('ends with a weakness if another process is fit, which then has a second', async () => {
      weakness = 'disk low';
      others = [unfit, fit];
      const candidacy = candidacyOf();
      expect(await candidacy.mustStepDown(rollCall)).toBe(true);
      expect(lines).toEqual([
        { level: 40, msg: 'another process is fit to own the exchange and takes over' },
      ]);
      weakness = null;
      now += 999;
      expect(candidacy.mayTake(member, false)).toBe(false);
    });

    it('does not end if no other process is fit', async () => {
      weakness = 'disk low';
      others = [unfit];
      const candidacy = candidacyOf();
      expect(await candidacy.mustStepDown(rollCall)).toBe(false);
      expect(lines).toEqual([]);
      weakness = null;
      expect(candidacy.mayTake(member, false)).toBe(true);
    });

    it('does not end for a slow loop in its first 30 seconds', async () => {
      weakness = 'loop slow';
      others = [fit];
      const candidacy = candidacyOf();
      candidacy.begin();
      now += 29_999;
      expect(await candidacy.mustStepDown(rollCall)).toBe(false);
      weakness = 'disk low';
      expect(await candidacy.mustStepDown(rollCall)).toBe(true);
      weakness = 'loop slow';
      now += 1;
      expect(await candidacy.mustStepDown(rollCall)).toBe(true);
    });
  });
});
