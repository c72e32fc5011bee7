import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Sequence } from '../domain/identifiers.ts';
import { systemTime } from '../system/system-time.ts';
import { LogPlace } from './log-place.ts';
import { LogDiscontinuityError, type LogReplica } from './log-replica.ts';
import type { SharedLog } from './shared-log.ts';

const end = { end: 4, start: 'start', isOneServer: true };

/** The place of a process that has applied three of four entries, and what becomes of the fourth. */
function placeWhere(reached: Promise<void>, appliesMeanwhile = 0): LogPlace {
  const replica = { position: 3, logStart: 'start', reach: () => reached };
  const loadEndAndStart = async () => {
    replica.position += appliesMeanwhile;
    return end;
  };
  const log = { loadEndAndStart };
  return new LogPlace({
    log: log as unknown as SharedLog,
    replica: replica as unknown as LogReplica,
    sequencer: { appliedSequence: 3 as Sequence },
    time: systemTime,
    logger: pino({ level: 'silent' }),
    loadReach: async () => 0 as Sequence,
    onEpoch: () => undefined,
    onFatal: () => undefined,
  });
}

describe('LogPlace', () => {
  it('a read whose log turns out to continue differently is refused as restarting', async () => {
    const place = placeWhere(Promise.reject(new LogDiscontinuityError('entry 4 is another one')));
    const refused = { name: 'EngineRestartingError', cause: { name: 'LogDiscontinuityError' } };
    await expect(place.catchUp(100)).rejects.toMatchObject(refused);
  });

  it('a read is answered although its process applied more before the end arrived', async () => {
    await expect(placeWhere(Promise.resolve(), 2).catchUp(100)).resolves.toBeUndefined();
  });

  it('a read waits until what was in the log is applied', async () => {
    await expect(placeWhere(Promise.resolve()).catchUp(100)).resolves.toBeUndefined();
  });
});
