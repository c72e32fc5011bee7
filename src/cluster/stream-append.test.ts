import { JetStreamApiError } from '@nats-io/jetstream';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { NatsConnections } from '../../test/support/nats-connections.ts';
import { hasNatsServer } from '../../test/support/nats-server.ts';
import { systemTime } from '../system/system-time.ts';
import { AppendConnection } from './append-connection.ts';
import type { LogPosition } from './log-entry.ts';
import { LogUnreachableError } from './log-unreachable-error.ts';
import {
  type AppendableEntry,
  FencedError,
  LogBehindError,
  LogRestartedError,
} from './shared-log.ts';
import { readEntries, StreamLog } from './stream-log.ts';

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for appends to a stream');

const after: LogPosition = { position: 4, id: 'a-1-4' };
const place: LogPosition = { position: 5, id: 'a-1-5' };
const entry = { epoch: 1 } as AppendableEntry;

function refusalOf(code: number): JetStreamApiError {
  return new JetStreamApiError({ code: 400, err_code: code, description: 'refused' });
}

describe.skipIf(!hasNatsServer)('a stream as the shared log', () => {
  let nats: NatsConnections;
  let log: StreamLog;
  let slept: number[];
  let lines: { readonly level: number; readonly msg: string }[];
  const append = vi.spyOn(AppendConnection.prototype, 'append');
  const changeLeader = vi.spyOn(AppendConnection.prototype, 'changeLeader');

  beforeAll(async () => {
    nats = await NatsConnections.start();
  });
  afterAll(() => nats.close());
  beforeEach(async () => {
    await nats.next();
    [slept, lines] = [[], []];
    append.mockReset();
    changeLeader.mockReset().mockResolvedValue(true);
    const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[0]);
    const time = {
      ...systemTime,
      sleep: async (ms: number) => {
        slept.push(ms);
        await systemTime.yieldTurn();
      },
    };
    log = await StreamLog.open(
      {
        connection: await nats.connect(),
        connectOnce: () => nats.connect(),
        names: nats.names,
        process: 'a',
        time,
        logger: pino({ base: null, timestamp: false }, { write }),
      },
      new AbortController().signal,
    );
  });
  afterEach(() => log.close());

  const unanswered = { level: 40, msg: 'the shared log does not answer' };

  it('compares the id of the last entry unless it is told not to', async () => {
    append.mockResolvedValue(place);
    expect(await log.append(entry, after)).toBe(place);
    expect(append).toHaveBeenLastCalledWith(entry, after, 'id');
    await log.append(entry, after, 'position');
    expect(append).toHaveBeenLastCalledWith(entry, after, 'position');
  });

  it('announces what it has appended', async () => {
    append.mockResolvedValue(place);
    const told: string[] = [];
    const other = await nats.connect();
    other.subscribe(nats.names.tailSubject, {
      callback: (_, { data }) => {
        told.push(Buffer.from(data).toString());
      },
    });
    await nats.settle();
    await log.append(entry, after);
    await vi.waitUntil(() => told.length > 0);
    expect(told).toEqual(['5']);
  });

  it.each([new FencedError('fenced'), new LogRestartedError('restarted')])(
    'tries nothing again after a final refusal: %s',
    async (error) => {
      append.mockRejectedValue(error);
      await expect(log.append(entry, after)).rejects.toBe(error);
      expect([append.mock.calls.length, slept, lines]).toEqual([1, [], []]);
    },
  );

  it('sends the same entry every 100 ms until it is stored', async () => {
    append
      .mockRejectedValueOnce(new Error('no answer'))
      .mockRejectedValueOnce(new Error('no answer'))
      .mockResolvedValue(place);
    expect(await log.append(entry, after)).toBe(place);
    expect(append.mock.calls).toEqual(Array(3).fill([entry, after, 'id']));
    expect(slept).toEqual([100, 100]);
    expect(lines).toMatchObject(
      Array(2).fill({ ...unanswered, after, err: { message: 'no answer' } }),
    );
    expect(changeLeader).not.toHaveBeenCalled();
  });

  it('does not give up a server that does not answer, nor ask for another leader', async () => {
    for (let tries = 0; tries < 50; tries += 1)
      append.mockRejectedValueOnce(new Error('no answer'));
    append.mockResolvedValue(place);
    expect(await log.append(entry, after)).toBe(place);
    expect(slept).toHaveLength(50);
    expect(changeLeader).not.toHaveBeenCalled();
  });

  it('is full as long as the server has no space', async () => {
    const seen: boolean[] = [];
    append
      .mockRejectedValueOnce(refusalOf(10_077))
      .mockImplementationOnce(async () => {
        seen.push(log.isFull);
        throw new Error('no answer');
      })
      .mockImplementationOnce(async () => {
        seen.push(log.isFull);
        throw refusalOf(10_047);
      })
      .mockImplementationOnce(async () => {
        seen.push(log.isFull);
        return place;
      });
    expect(log.isFull).toBe(false);
    await log.append(entry, after);
    expect(seen).toEqual([true, false, true]);
    expect(log.isFull).toBe(false);
  });

  it('gives up what is pending once it is closed', async () => {
    append.mockImplementation(async () => {
      await log.close();
      throw new Error('no answer');
    });
    await expect(log.append(entry, after)).rejects.toThrow('no answer');
    expect(slept).toEqual([]);
  });

  it('tries twenty times while the leader is behind, and asks for another at each fifth', async () => {
    const behind = new LogBehindError('behind');
    append.mockRejectedValue(behind);
    await expect(log.append(entry, after)).rejects.toBe(behind);
    expect(append).toHaveBeenCalledTimes(21);
    expect(slept).toEqual(Array(20).fill(100));
    expect(changeLeader).toHaveBeenCalledTimes(4);
    const asked = { level: 40, msg: "another server is asked for as the shared log's leader" };
    expect(lines.filter(({ msg }) => msg === asked.msg)).toEqual(Array(4).fill(asked));
    expect(lines.findIndex(({ msg }) => msg === asked.msg)).toBe(4);
  });

  it('says nothing of a leader that it did not ask for, and goes on if it cannot ask', async () => {
    append.mockRejectedValue(new LogBehindError('behind'));
    changeLeader
      .mockReset()
      .mockResolvedValueOnce(false)
      .mockRejectedValueOnce(new Error('no leader'))
      .mockResolvedValue(false);
    await expect(log.append(entry, after)).rejects.toThrow('behind');
    expect(lines).toHaveLength(21);
    expect(lines.filter(({ msg }) => msg !== unanswered.msg)).toEqual([]);
    expect(lines).toContainEqual(
      expect.objectContaining({
        ...unanswered,
        err: expect.objectContaining({ message: 'no leader' }) as unknown,
      }),
    );
  });

  it('is out of reach if its server does not answer', async () => {
    expect(await log.load(0)).toBeNull();
    expect(await log.load(7)).toBeNull();
    expect([await log.loadBeginning(), await log.loadEnd()]).toEqual([1, 0]);
    await nats.next();
    const failures = [log.load(1), log.loadEnd(), log.loadTime(1), log.trimBelow(1)];
    for (const failure of failures) {
      await expect(failure).rejects.toBeInstanceOf(LogUnreachableError);
      await expect(failure).rejects.toThrow('the shared log does not answer');
    }
  });

  it('names its one server and the start of that', async () => {
    const { start, isOneServer, end } = await log.loadEndAndStart();
    expect([isOneServer, end]).toEqual([true, 0]);
    expect(start.split(' ')).toHaveLength(2);
    expect((await log.loadEndAndStart()).start).toBe(start);
  });

  it('can be read by a process that has not joined', async () => {
    const reader = await readEntries(await nats.connect(), nats.names);
    expect([await reader.loadBeginning(), await reader.loadEnd()]).toEqual([1, 0]);
    expect(await reader.load(1)).toBeNull();
  });
});
