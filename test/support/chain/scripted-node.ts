import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type NodeAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

export interface ScriptedNode {
  readonly url: string;
  close(): Promise<void>;
}

/** A node that answers each call as the script says of its parameters; null: not at all. */
export async function startScriptedNode(
  script: (params: readonly unknown[]) => NodeAnswer | null,
): Promise<ScriptedNode> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { id, params } = JSON.parse(body) as { id: number; params: readonly unknown[] };
    const answer = script(params);
    if (answer === null) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
