import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasNatsServer, NatsServer } from '../../test/support/nats-server.ts';
import { connectNats, type NatsLink, serverOf } from './connect-nats.ts';

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for connections to it');

vi.mock('@nats-io/transport-node', { spy: true });

describe('the address of NATS', () => {
  it('is one URL, or several with commas between them', () => {
    expect(serverOf('nats://one:4222')).toEqual({ servers: ['one:4222'] });
    expect(serverOf('nats://one:4222, nats://two:4223,nats://three')).toEqual({
      servers: ['one:4222', 'two:4223', 'three'],
    });
  });

  it('asks for TLS by its protocol', () => {
    expect(serverOf('tls://one:4222')).toEqual({ servers: ['one:4222'], tls: {} });
  });

  it('has user and password, of which those of the first URL count', () => {
    expect(serverOf('nats://b%40c:p%3Aw@one:4222,nats://other:pw@two:4222')).toEqual({
      servers: ['one:4222', 'two:4222'],
      user: 'b@c',
      pass: 'p:w',
    });
  });
});

describe.skipIf(!hasNatsServer)('a connection to NATS', () => {
  let server: NatsServer;
  let link: NatsLink;
  let closedBy: Error[];
  let logged: { readonly msg: string; readonly level: number; readonly err?: object }[];

  beforeEach(async () => {
    closedBy = [];
    logged = [];
    const write = (line: string): void => void logged.push(JSON.parse(line) as (typeof logged)[0]);
    server = await NatsServer.start();
    const onClosed = (error: Error): void => void closedBy.push(error);
    vi.mocked(connect).mockClear();
    link = await connectNats(server.url, 'a1', pino({ base: null }, { write }), onClosed);
  });
  afterEach(async () => {
    await link.connection.close();
    await server.close();
  });

  it('gives up a silent server after two pings, and comes back as often as needed', () => {
    expect(connect).toHaveBeenCalledWith({
      servers: [new URL(server.url).host],
      name: 'openbourse a1',
      maxReconnectAttempts: -1,
      waitOnFirstConnect: true,
      reconnectTimeWait: 250,
      reconnectJitter: 250,
      pingInterval: 2_000,
      maxPingOut: 2,
    });
    expect(link.isConnected).toBe(true);
  });

  it('for appends gives up a silent server as well, and never comes back', async () => {
    const once = await link.connectOnce();
    await once.close();
    expect(connect).toHaveBeenLastCalledWith({
      servers: [new URL(server.url).host],
      name: 'openbourse a1 appends',
      reconnect: false,
      timeout: 2_000,
      pingInterval: 2_000,
      maxPingOut: 2,
    });
  });

  it('is lost with the server, and comes back with it', async () => {
    await server.kill();
    await vi.waitUntil(() => !link.isConnected);
    await server.startAgain();
    await vi.waitUntil(() => link.isConnected);
    expect(logged.map(({ msg, level }) => [msg, level])).toEqual([
      ['the connection to NATS is lost', 40],
      ['connected to NATS again', 30],
    ]);
    expect(closedBy).toEqual([]);
  });

  it('is over once it is closed, which is no failure if the process has closed it', async () => {
    await link.connection.close();
    await vi.waitUntil(() => !link.isConnected);
    expect(closedBy).toEqual([]);
  });
});

describe('a connection that NATS ends', () => {
  it('reports the error, and that it is closed', async () => {
    let end: (error: Error) => void = () => undefined;
    const refusal = new Error('not permitted');
    const connection = {
      closed: () => new Promise<Error>((resolve) => (end = resolve)),
      status: async function* () {
        yield await Promise.resolve({ type: 'ping' });
        yield { type: 'error', error: refusal };
      },
    };
    vi.mocked(connect).mockResolvedValueOnce(connection as unknown as NatsConnection);
    const lines: string[] = [];
    const closedBy: Error[] = [];
    const logger = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const link = await connectNats('nats://one', 'a1', logger, (error) => closedBy.push(error));
    await vi.waitUntil(() => lines.length > 0);
    const [line, ...others] = lines.map((each) => JSON.parse(each) as object);
    expect(line).toMatchObject({
      level: 50,
      msg: 'NATS reports an error',
      err: { message: 'not permitted' },
    });
    expect(others).toEqual([]);
    expect(link.isConnected).toBe(true);
    end(refusal);
    await vi.waitUntil(() => closedBy.length > 0);
    expect(closedBy).toEqual([refusal]);
    expect(link.isConnected).toBe(false);
  });
});
