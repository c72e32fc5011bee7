import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Time } from '../system/time.ts';
import { LogTail } from './log-tail.ts';
import type { ReceivedEntries } from './received-entries.ts';

describe('the end of the log', () => {
  let tail: LogTail;
  let told: { readonly subject: string; readonly text: string; readonly id: string | undefined }[];
  let hear: (error: Error | null, message: Msg) => void;
  let noted: unknown[];
  let timers: { readonly delayMs: number; readonly callback: () => void }[];
  let end: AbortController;

  beforeEach(() => {
    told = [];
    noted = [];
    timers = [];
    end = new AbortController();
    const connection = {
      subscribe: (subject: string, { callback }: { callback: typeof hear }) => {
        expect(subject).toBe('tail');
        hear = callback;
      },
      publish: (subject: string, text: string, { headers }: { headers: Msg['headers'] }) => {
        told.push({ subject, text, id: headers?.get('Openbourse-Last-Id') });
        hear(null, { string: () => text, headers } as Msg);
      },
    };
    const time = {
      after: (delayMs: number, callback: () => void) => {
        const timer = { delayMs, callback };
        timers.push(timer);
        return () => {
          timers = timers.filter((each) => each !== timer);
        };
      },
    };
    const received = { note: (position: number, id: string) => void noted.push([position, id]) };
    tail = new LogTail(
      connection as unknown as NatsConnection,
      'tail',
      time as Time,
      received as unknown as ReceivedEntries,
    );
  });

  function told7(headers?: Msg['headers']): Msg {
    return { string: () => '7', headers } as Msg;
  }

  it('is told to all with the id of the entry there', () => {
    tail.announce({ position: 7, id: 'a-1-7' });
    expect(told).toEqual([{ subject: 'tail', text: '7', id: 'a-1-7' }]);
    expect(noted).toEqual([[7, 'a-1-7']]);
    expect(tail.end).toBe(7);
  });

  it('is told without an id if there is none', () => {
    tail.announce({ position: 7, id: null });
    expect(told).toEqual([{ subject: 'tail', text: '7', id: '' }]);
    hear(null, told7());
    expect(noted).toEqual([]);
    expect(tail.end).toBe(7);
  });

  it('is not known from what cannot be read', () => {
    hear(new Error('not permitted'), told7());
    expect(tail.end).toBe(0);
    hear(null, { string: () => 'x' } as Msg);
    expect(tail.end).toBe(0);
  });

  it('only rises, unless it is given up', () => {
    tail.observe(7);
    tail.observe(5);
    expect(tail.end).toBe(7);
    tail.reset();
    expect(tail.end).toBe(0);
    tail.observe(5);
    expect(tail.end).toBe(5);
  });

  it('is reached at once where it is', async () => {
    tail.observe(7);
    expect(await tail.reaches(7, 250, end.signal)).toBe(true);
    expect(timers).toEqual([]);
  });

  it('wakes those who wait for it', async () => {
    const waits = [tail.reaches(7, 250, end.signal), tail.reaches(8, 250, end.signal)];
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([250, 250]);
    tail.observe(7);
    expect(await Promise.all(waits)).toEqual([true, false]);
    expect(timers).toEqual([]);
  });

  it('is not awaited any longer than the time or the signal allows', async () => {
    const late = tail.reaches(7, 250, end.signal);
    timers[0]!.callback();
    expect(await late).toBe(false);
    const aborted = tail.reaches(7, 250, end.signal);
    end.abort();
    expect(await aborted).toBe(false);
    expect(timers).toEqual([]);
    expect(await tail.reaches(7, 250, end.signal)).toBe(false);
    expect(timers).toEqual([]);
  });
});
