import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// Sits between the service and a node, and distorts the answers as networks and nodes do.

export type Fault =
  /** A gateway's error page instead of an answer. */
  | { readonly kind: 'status'; readonly status: number }
  /** The node's own refusal. */
  | { readonly kind: 'refusal'; readonly code: number; readonly message: string }
  /** Never an answer; the request did not reach the node. */
  | { readonly kind: 'silence' }
  /** The first half of the body, then nothing more, the connection left open. */
  | { readonly kind: 'halfBody' }
  /** The first half of the body, then the end. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'garbage' }
  /** The node receives the request and acts on it, but its answer is lost. */
  | { readonly kind: 'lostAnswer' }
  /** An empty success, whatever the node would say. */
  | { readonly kind: 'success' }
  /** Another result than the node's. */
  | { readonly kind: 'lie'; readonly result: (truth: unknown) => unknown };

export type Rule = (method: string, params: readonly unknown[]) => Fault | null;

export interface FaultProxy {
  readonly url: string;
  /** Asked for each request; null leaves it alone. */
  setRule(rule: Rule | null): void;
  /** Methods in the order in which they came, since the last call. */
  takeCalls(): readonly string[];
  close(): Promise<void>;
}

interface RpcBody {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

export async function startFaultProxy(targetUrl: string): Promise<FaultProxy> {
  let rule: Rule | null = null;
  let calls: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const handle = async (): Promise<void> => {
      const text = await readText(incoming);
      const body = JSON.parse(text) as RpcBody;
      calls.push(body.method);
      await answer(outgoing, { text, body, targetUrl, fault: rule?.(body.method, body.params) });
    };
    handle().catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    setRule: (next) => {
      rule = next;
    },
    takeCalls: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
    close: () => closeServer(server),
  };
}

interface Exchange {
  readonly text: string;
  readonly body: RpcBody;
  readonly targetUrl: string;
  readonly fault: Fault | null | undefined;
}

async function answer(outgoing: ServerResponse, exchange: Exchange): Promise<void> {
  const { body, fault } = exchange;
  switch (fault?.kind) {
    case undefined:
      outgoing.end(await forward(exchange));
      return;
    case 'status':
      outgoing.writeHead(fault.status, { 'content-type': 'text/html' }).end('<h1>Bad</h1>');
      return;
    case 'refusal': {
      const error = { code: fault.code, message: fault.message };
      outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, error }));
      return;
    }
    case 'success':
      outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result: '0x' }));
      return;
    case 'silence':
      return;
    case 'garbage':
      outgoing.end('not json at all');
      return;
    case 'halfBody':
    case 'cut':
      await answerHalf(outgoing, exchange, fault.kind === 'cut');
      return;
    case 'lostAnswer':
      await forward(exchange);
      outgoing.destroy();
      return;
    case 'lie': {
      const truth = JSON.parse(await forward(exchange)) as { readonly result: unknown };
      outgoing.end(JSON.stringify({ ...truth, result: fault.result(truth.result) }));
    }
  }
}

async function answerHalf(
  outgoing: ServerResponse,
  exchange: Exchange,
  isCut: boolean,
): Promise<void> {
  const whole = await forward(exchange);
  outgoing.writeHead(200, { 'content-length': whole.length });
  outgoing.write(whole.slice(0, whole.length / 2));
  if (isCut) setImmediate(() => outgoing.destroy());
}

async function forward({ text, targetUrl }: Exchange): Promise<string> {
  const response = await fetch(targetUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
  });
  return response.text();
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
