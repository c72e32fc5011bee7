import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type ClusterNames, clusterNames } from '../../src/cluster/cluster-names.ts';
import { NatsServer } from './nats-server.ts';

/** Connections to a NATS server of their own, for one exchange after the other. */
export class NatsConnections {
  readonly server: NatsServer;
  names = clusterNames('0'.repeat(16));
  #exchanges = 0;
  readonly #open: NatsConnection[] = [];

  private constructor(server: NatsServer) {
    this.server = server;
  }

  static async start(): Promise<NatsConnections> {
    return new NatsConnections(await NatsServer.start());
  }

  async connect(): Promise<NatsConnection> {
    const reconnect = { maxReconnectAttempts: -1, reconnectTimeWait: 20, reconnectJitter: 0 };
    const connection = await connect({ servers: this.server.url, ...reconnect });
    this.#open.push(connection);
    return connection;
  }

  /** Ends all connections; what was stored belongs to another exchange than what follows. */
  async next(): Promise<ClusterNames> {
    await Promise.all(this.#open.splice(0).map((connection) => connection.close()));
    this.#exchanges += 1;
    this.names = clusterNames(String(this.#exchanges).padStart(16, '0'));
    return this.names;
  }

  /** Resolves once the server has everything that was subscribed to or sent. */
  async settle(): Promise<void> {
    await Promise.all(this.#open.map((connection) => connection.flush()));
  }

  async close(): Promise<void> {
    await this.next();
    await this.server.close();
  }
}

/** Lets the subscriptions that follow fail, as those do that the server does not permit. */
export function failingSubscriptions(connection: NatsConnection): (error: Error) => void {
  const subscribe = connection.subscribe.bind(connection);
  const fails: ((error: Error) => void)[] = [];
  connection.subscribe = (subject, options = {}) => {
    const { callback } = options;
    if (callback !== undefined) fails.push((error) => void callback(error, {} as never));
    return subscribe(subject, options);
  };
  return (error) => {
    for (const fail of fails) fail(error);
  };
}
