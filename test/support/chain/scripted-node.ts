import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type NodeAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

/** What a node answers to a call with these parameters; null: nothing. */
export type NodeScript = (params: readonly unknown[]) => NodeAnswer | null;

export interface ScriptedNode {
  readonly url: string;
  close: () => Promise<void>;
}

export async function startScriptedNode(script: NodeScript): Promise<ScriptedNode> {
  const server = createServer((request, response) => {
    void json(request).then((call) => {
      const { id, params } = call as { id: number; params: readonly unknown[] };
      const answer = script(params);
      if (answer === null) return;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
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
