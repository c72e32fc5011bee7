import { WebSocket } from 'ws';

export interface SocketLoad {
  readonly url: string;
  readonly connections: number;
  /** The number of requests in flight per connection. */
  readonly window: number;
  readonly durationMs: number;
  /** What a connection says first, and waits for. */
  readonly hello: (connection: number) => object;
  /** The next request of a connection, as JSON text. */
  readonly nextRequest: (connection: number) => string;
}

export interface SocketLoadResult {
  readonly answersPerSecond: number;
  /** One answer that was no success, for the report. */
  readonly refusal: string | null;
}

const success = '"status":200';

/** Keeps that many requests in flight on each connection; all are answered when it resolves. */
export async function runSocketLoad(load: SocketLoad): Promise<SocketLoadResult> {
  const sockets = await Promise.all(
    Array.from({ length: load.connections }, (_, index) => open(load, index)),
  );
  const start = performance.now();
  const end = start + load.durationMs;
  const results = await Promise.all(
    sockets.map((socket, index) => runConnection(load, socket, index, end)),
  );
  const seconds = (performance.now() - start) / 1000;
  const answered = results.reduce((sum, each) => sum + each.answered, 0);
  const refusal = results.find((each) => each.refusal !== null)?.refusal ?? null;
  for (const socket of sockets) socket.terminate();
  return { answersPerSecond: answered / seconds, refusal };
}

async function open({ url, hello }: SocketLoad, index: number): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const answered = new Promise<Buffer>((resolve) => socket.once('message', resolve));
  socket.send(JSON.stringify(hello(index)));
  const answer = (await answered).toString();
  if (!answer.includes(success)) throw new Error(answer);
  return socket;
}

function runConnection(
  { window, nextRequest }: SocketLoad,
  socket: WebSocket,
  index: number,
  end: number,
): Promise<{ readonly answered: number; readonly refusal: string | null }> {
  return new Promise((resolve, reject) => {
    let underWay = 0;
    let answered = 0;
    let refusal: string | null = null;
    const send = (): void => {
      underWay += 1;
      socket.send(nextRequest(index));
    };
    socket.on('message', (data: Buffer) => {
      underWay -= 1;
      answered += 1;
      if (refusal === null && !data.includes(success)) refusal = data.toString();
      if (performance.now() < end) send();
      else if (underWay === 0) resolve({ answered, refusal });
    });
    socket.on('close', (code) => reject(new Error(`the server closed the connection: ${code}`)));
    for (let count = 0; count < window; count += 1) send();
  });
}
