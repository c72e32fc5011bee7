import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasNatsServer, NatsServer } from '../../test/support/nats-server.ts';
import { systemTime } from '../system/system-time.ts';
import { clusterNames } from './cluster-names.ts';
import { EntryStore } from './store-answers.ts';

if (!hasNatsServer)
  console.log('skipped: there is no nats-server on PATH for the answers to stores');

const names = clusterNames('0123456789abcdef');
const entry = { id: 'a-1-1', headers: headers(), group: new Uint8Array([1]) };
const longMs = 60_000;

describe.skipIf(!hasNatsServer)('EntryStore', () => {
  let server: NatsServer;
  let connection: NatsConnection;
  let store: EntryStore;

  beforeEach(async () => {
    server = await NatsServer.start();
    connection = await connect({ servers: server.url, reconnect: false });
    store = new EntryStore(connection, names, systemTime);
  });
  afterEach(async () => {
    await connection.close();
    await server.close();
  });

  /** Answers attempts as the stream would; the attempt's number is the last part of the subject. */
  function answer(textOf: (attempt: string) => string | null): void {
    connection.subscribe(names.logSubject, {
      callback: (_error, message) => {
        const text = textOf(message.reply!.split('.').at(-1)!);
        if (text !== null) message.respond(text);
      },
    });
  }

  it('entry store: an answer counts for its own attempt only', async () => {
    let first = '';
    answer((attempt) => {
      if (attempt === '1') first = `${names.storedSubject}.${entry.id}.1`;
      else
        connection.publish(first, '{"error":{"code":400,"err_code":10071,"description":"late"}}');
      return attempt === '1' ? null : '{"stream":"s","seq":7}';
    });
    await expect(store.store(entry, 1)).rejects.toThrow('does not answer');
    expect(await store.store(entry, longMs)).toBe(7);
  });

  it('entry store: a refusal has the code of the server', async () => {
    answer(() => '{"error":{"code":400,"err_code":10071,"description":"wrong last sequence"}}');
    await expect(store.store(entry, longMs)).rejects.toMatchObject({ code: 10_071 });
  });

  it.each(['{}', 'no answer'])('entry store: %s as an answer says nothing', async (text) => {
    answer(() => text);
    await expect(store.store(entry, longMs)).rejects.toThrow(/without a position|cannot be read/);
  });

  it('entry store: where nothing stores the log, an attempt fails at once', async () => {
    await expect(store.store(entry, longMs)).rejects.toThrow('no server stores the shared log');
  });

  it('entry store: an attempt fails when the connection ends', async () => {
    answer(() => null);
    const attempt = expect(store.store(entry, longMs)).rejects.toThrow('the connection is closed');
    await connection.flush();
    await connection.close();
    await attempt;
  });
});
