import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { WebSocket } from 'ws';
import type { ServiceProcess } from './service-process.ts';

/** The options of a service whose memory is inspected. */
export const probeSettings = { NODE_OPTIONS: '--inspect=127.0.0.1:0' } as const;

const collections = 3;

/** Looks at the memory of another process through its inspector. */
export class HeapProbe {
  readonly #socket: WebSocket;
  readonly #processId: number;
  #lastId = 0;

  private constructor(socket: WebSocket, processId: number) {
    this.#socket = socket;
    this.#processId = processId;
  }

  static async open({ errorText, process }: ServiceProcess): Promise<HeapProbe> {
    const url = /ws:\/\/\S+/.exec(errorText)?.[0];
    if (url === undefined || process.pid === undefined) throw new Error('no inspector listens');
    const socket = new WebSocket(url);
    await once(socket, 'open');
    return new HeapProbe(socket, process.pid);
  }

  close(): void {
    this.#socket.terminate();
  }

  /** Bytes of the main thread's heap that are in use once all garbage is collected. */
  async heapBytes(): Promise<number> {
    for (let count = 0; count < collections; count += 1) {
      await this.#call('HeapProfiler.collectGarbage');
    }
    const { usedSize } = await this.#call('Runtime.getHeapUsage');
    return usedSize ?? Number.NaN;
  }

  /** All memory of the process, its other threads included. */
  async residentBytes(): Promise<number> {
    const status = await readFile(`/proc/${this.#processId}/status`, 'utf8');
    return 1_024 * Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]);
  }

  async #call(method: string): Promise<{ usedSize?: number }> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [data] = (await once(this.#socket, 'message')) as [Buffer];
      const answer = JSON.parse(data.toString()) as { id?: number; result?: { usedSize?: number } };
      if (answer.id === id) return answer.result ?? {};
    }
  }
}
