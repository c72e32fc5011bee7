import { connect, type Socket } from 'node:net';

// A load generator for HTTP/1.1 over bare sockets: one request in flight a connection, no
// pipelining, as little work a request as the protocol allows.

export interface HttpLoad {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** The bytes of the next request of a connection. */
  readonly nextRequest: (connection: number) => string;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly answered: number;
  /** Answers by status. */
  readonly statuses: ReadonlyMap<string, number>;
  /** The text of one answer other than 200, for the report. */
  readonly refusal: string | null;
}

const headEnd = '\r\n\r\n';
const lengthStart = '\r\ncontent-length: ';
const statusStart = 9;
const statusEnd = 12;
const answerBytesMax = 64 * 1024;

/** Runs the load and answers what came back; every request was answered when it resolves. */
export async function runHttpLoad(load: HttpLoad): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses = new Map<string, number>();
  let refusal: string | null = null;
  const start = performance.now();
  const end = start + load.durationMs;
  const record = (answer: string, latencyMs: number): void => {
    latencies.push(latencyMs);
    const status = answer.slice(statusStart, statusEnd);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status !== '200') refusal ??= answer;
  };
  await Promise.all(
    Array.from({ length: load.connections }, async (_, index) =>
      runConnection(load, index, end, record),
    ),
  );
  const seconds = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  return {
    requestsPerSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    answered: latencies.length,
    statuses,
    refusal,
  };
}

async function runConnection(
  { port, nextRequest }: HttpLoad,
  index: number,
  end: number,
  record: (answer: string, latencyMs: number) => void,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let sentAt = 0;
    let pending = '';
    // Bytes are read into one buffer, past the stream: a load generator should cost little.
    const onread = {
      buffer: Buffer.allocUnsafe(answerBytesMax),
      callback: (count: number, bytes: Uint8Array): boolean => {
        const text = (bytes as Buffer).toString('latin1', 0, count);
        pending = pending === '' ? text : pending + text;
        if (isWhole(pending)) {
          record(pending, performance.now() - sentAt);
          pending = '';
          send();
        }
        return true;
      },
    };
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    const send = (): void => {
      sentAt = performance.now();
      if (sentAt >= end) {
        socket.destroy();
        resolve();
        return;
      }
      socket.write(nextRequest(index), 'latin1');
    };
    socket.on('error', reject);
    socket.on('end', () => reject(new Error(`the server ended the connection: ${pending}`)));
    socket.once('connect', send);
  });
}

function isWhole(text: string): boolean {
  const headLength = text.indexOf(headEnd);
  if (headLength < 0) return false;
  const lengthAt = text.indexOf(lengthStart);
  const length = lengthAt < 0 ? 0 : Number.parseInt(text.slice(lengthAt + lengthStart.length), 10);
  return text.length >= headLength + headEnd.length + length;
}
