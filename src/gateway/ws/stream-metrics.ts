import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of the streams. */
export interface StreamMetrics {
  connectionOpened(): void;
  connectionClosed(code: number): void;
  connectionRefused(reason: string): void;
  messagesSent(count: number): void;
  clientFellBehind(): void;
}

/** Records nothing. */
export const noStreamMetrics: StreamMetrics = {
  connectionOpened: () => {},
  connectionClosed: () => {},
  connectionRefused: () => {},
  messagesSent: () => {},
  clientFellBehind: () => {},
};

// Clients can choose any code from here on, and as many as they like (RFC 6455, section 7.4.2).
const clientCodesMin = 3_000;

/** The backlog is computed when the metrics are read. */
export function registerStreamMetrics(
  registry: Registry,
  getBacklogBytes: () => number,
): StreamMetrics {
  const registers = [registry];
  const connections = new Gauge({
    name: 'ws_connections',
    help: 'Open WebSocket connections',
    registers,
  });
  const backlog: Gauge = new Gauge({
    name: 'ws_backlog_bytes',
    help: 'Bytes that clients have not read yet, over all connections',
    registers,
    collect: () => backlog.set(getBacklogBytes()),
  });
  const closed = new Counter({
    name: 'ws_connections_closed_total',
    help: 'Closed WebSocket connections by close code; 1013 were too slow',
    labelNames: ['code'],
    registers,
  });
  const refused = new Counter({
    name: 'ws_connections_refused_total',
    help: 'Refused WebSocket upgrades by reason',
    labelNames: ['reason'],
    registers,
  });
  const messages = new Counter({
    name: 'ws_messages_sent_total',
    help: 'Snapshots and updates that were sent',
    registers,
  });
  const behind = new Counter({
    name: 'ws_clients_behind_total',
    help: 'How often a client did not keep up and was sent resync',
    registers,
  });
  return {
    connectionOpened: () => connections.inc(),
    connectionClosed: (code) => {
      connections.dec();
      closed.inc({ code: code >= clientCodesMin ? 'other' : code });
    },
    connectionRefused: (reason) => refused.inc({ reason }),
    messagesSent: (count) => messages.inc(count),
    clientFellBehind: () => behind.inc(),
  };
}
