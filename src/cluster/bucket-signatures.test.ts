import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasNatsServer, NatsServer } from '../../test/support/nats-server.ts';
import { EngineRestartingError } from '../application/ports.ts';
import { systemTime } from '../system/system-time.ts';
import { BucketSignatures } from './bucket-signatures.ts';

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for signatures');

const bucket = 'signatures';
const logger = pino({ level: 'silent' });

describe.skipIf(!hasNatsServer)('BucketSignatures', () => {
  let server: NatsServer;
  let connection: NatsConnection;

  beforeEach(async () => {
    server = await NatsServer.start();
    connection = await connect({ servers: server.url });
  });
  afterEach(async () => {
    await connection.close();
    await server.close();
  });

  function open(process: string): Promise<BucketSignatures> {
    const isConnected = () => true;
    const time = systemTime;
    return BucketSignatures.open({ connection, bucket, process, isConnected, time, logger });
  }

  it('signatures: the first claim places the order, another process gets its answer', async () => {
    const [first, second] = [await open('a'), await open('b')];
    expect(await first.claim('s1')).toBe('first');
    const reply = { status: 200, body: '{}' } as never;
    const repeated = second.claim('s1');
    first.settle('s1', reply);
    expect(await repeated).toEqual(reply);
  });

  it('signatures: with the store full an order that was never made is refused, not called repeated', async () => {
    const signatures = await open('a');
    expect(await signatures.claim('s1')).toBe('first');
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info(`KV_${bucket}`);
    await manager.streams.update(`KV_${bucket}`, { max_bytes: state.bytes });
    await expect(signatures.claim('s2')).rejects.toThrow(EngineRestartingError);
  });
});
