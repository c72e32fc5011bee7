import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';

// A server that dies without a word is given up after two unanswered pings.
const pingIntervalMs = 2_000;
const pingsUnansweredMax = 2;
const reconnectMs = 250;

export interface NatsLink {
  readonly connection: NatsConnection;
  readonly isConnected: boolean;
}

/** Connects to the server, or to one of several separated by commas, and stays with it. */
export async function connectNats(
  url: string,
  process: string,
  logger: Logger,
  onClosed: (error: Error) => void,
): Promise<NatsLink> {
  const connection = await connect({
    ...serversOf(url),
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

// Name and password may stand in the url, which the client does not read there.
function serversOf(text: string) {
  const urls = text.split(',').map((each) => new URL(each.trim()));
  const [first] = urls;
  const credentials =
    first === undefined || first.username === ''
      ? {}
      : {
          user: decodeURIComponent(first.username),
          pass: decodeURIComponent(first.password),
        };
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || 4222}`),
    ...credentials,
  };
}
