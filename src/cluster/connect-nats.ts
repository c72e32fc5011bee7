import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';

// A server that dies silently is given up after two unanswered pings.
const pingIntervalMs = 2_000;
const pingsUnansweredMax = 2;
const reconnectMs = 250;
const connectTimeoutMs = 2_000;

export interface NatsLink {
  readonly connection: NatsConnection;
  readonly isConnected: boolean;
  /** Opens another connection, which does not reconnect after it breaks. */
  readonly connectOnce: () => Promise<NatsConnection>;
}

/** Connects to the server and stays connected to it, or to another one that it names. */
export async function connectNats(
  url: string,
  process: string,
  logger: Logger,
  onClosed: (error: Error) => void,
): Promise<NatsLink> {
  const connection = await connect({
    ...serverOf(url),
    name: `openbourse ${process}`,
    maxReconnectAttempts: -1,
    waitOnFirstConnect: true,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectMs,
    pingInterval: pingIntervalMs,
    maxPingOut: pingsUnansweredMax,
  });
  let isConnected = true;
  void watchStatus();
  void connection.closed().then((error) => {
    isConnected = false;
    if (error instanceof Error) onClosed(error);
  });
  return {
    connection,
    get isConnected() {
      return isConnected;
    },
    connectOnce: () =>
      connect({
        ...serverOf(url),
        name: `openbourse ${process} appends`,
        reconnect: false,
        timeout: connectTimeoutMs,
        pingInterval: pingIntervalMs,
        maxPingOut: pingsUnansweredMax,
      }),
  };

  async function watchStatus(): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        isConnected = false;
        logger.warn('the connection to NATS is lost');
      } else if (status.type === 'reconnect') {
        isConnected = true;
        logger.info('connected to NATS again');
      } else if (status.type === 'error') {
        logger.error({ err: status.error }, 'NATS reports an error');
      }
    }
  }
}

/**
 * Connect options; the text is one URL, or those of several servers, separated by commas. A URL may
 * contain user and password, which the client ignores there: those of the first count for all.
 */
export function serverOf(text: string) {
  const urls = text.split(',').map((each) => new URL(each.trim()));
  const [{ protocol, username, password }] = urls as [URL, ...URL[]];
  return {
    servers: urls.map(({ host }) => host),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
    ...(username === ''
      ? {}
      : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
  };
}
