import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Sequence } from '../domain/identifiers.ts';
import { clusterNames } from './cluster-names.ts';
import { encodeHeaders, entryId, type LogEntry } from './log-entry.ts';
import { ReceivedEntries } from './received-entries.ts';

const names = clusterNames('0123456789abcdef');

describe('an entry that was published', () => {
  let callbacks: Map<object, (error: Error | null, message: Msg) => void>;
  let isClosed: boolean;
  let received: ReceivedEntries;

  beforeEach(() => {
    callbacks = new Map();
    isClosed = false;
    const connection = {
      subscribe: (subject: string, { callback }: { callback: () => void }) => {
        expect(subject).toBe(names.logSubject);
        const subscription = {
          unsubscribe: () => {
            if (isClosed) throw new Error('the connection is closed');
            callbacks.delete(subscription);
          },
        };
        callbacks.set(subscription, callback);
        return subscription;
      },
      isClosed: () => isClosed,
    };
    received = new ReceivedEntries(connection as unknown as NatsConnection, names);
  });

  function idAt(position: number): string {
    return entryId('a', 1, position);
  }

  function publish(position: number, id: string | null = idAt(position)): void {
    const entry: LogEntry = {
      epoch: 1,
      rulesVersion: 2,
      lastSequence: position as Sequence,
      origins: [],
      group: new Uint8Array([position]),
      logStart: 'start',
      isRestoring: false,
      chain: null,
      mark: null,
    };
    const encoded = encodeHeaders(entry, null);
    if (id !== null) encoded.set('Nats-Msg-Id', id);
    const message = { headers: encoded, data: entry.group } as unknown as Msg;
    for (const callback of callbacks.values()) callback(null, message);
  }

  it('is had once, if its appender says that it is stored', () => {
    received.listen();
    publish(7);
    expect(received.take(7)).toBeNull();
    publish(7);
    received.note(7, idAt(7));
    expect(received.take(7)).toMatchObject({ position: 7, id: idAt(7), lastSequence: 7 });
    expect(received.take(7)).toBeNull();
  });

  it('is not had under another id than the stored one', () => {
    received.listen();
    publish(7, entryId('b', 1, 7));
    received.note(7, idAt(7));
    expect(received.take(7)).toBeNull();
  });

  it('is not had if it names no id or cannot be read', () => {
    received.listen();
    publish(7, null);
    for (const callback of callbacks.values()) {
      callback(new Error('not permitted'), { headers: headers() } as unknown as Msg);
      callback(null, {} as Msg);
    }
    received.note(7, '');
    expect(received.take(7)).toBeNull();
  });

  it('is not had before anything listens', () => {
    received.note(7, idAt(7));
    const end = received.listen();
    publish(7);
    expect(received.take(7)).toBeNull();
    publish(8);
    received.note(8, idAt(8));
    end();
    expect(callbacks.size).toBe(0);
    expect(received.take(8)).toBeNull();
    received.note(9, idAt(9));
    received.listen();
    publish(9);
    expect(received.take(9)).toBeNull();
  });

  it('is not had after the log was given up, or its connection is closed', () => {
    const end = received.listen();
    publish(7);
    received.note(7, idAt(7));
    received.forget();
    expect(received.take(7)).toBeNull();
    publish(7);
    received.note(8, idAt(8));
    received.forget();
    publish(8);
    received.note(7, idAt(7));
    expect([received.take(7), received.take(8)]).toEqual([null, null]);
    isClosed = true;
    expect(end).not.toThrow();
  });

  it('is one of the newest 64, the latest of equal ids last', () => {
    received.listen();
    for (let position = 1; position <= 64; position += 1) {
      publish(position);
      received.note(position, idAt(position));
    }
    publish(1);
    received.note(1, idAt(1));
    publish(65);
    received.note(65, idAt(65));
    expect(received.take(2)).toBeNull();
    for (const position of [1, 3, 64, 65]) {
      expect(received.take(position)).toMatchObject({ position });
    }
  });
});
