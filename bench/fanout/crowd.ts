import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./socket-crowd.ts', import.meta.url));

export interface CrowdOptions {
  readonly port: number;
  readonly socketCount: number;
  /** What each socket sends once it is open. */
  readonly requests: readonly string[];
}

/** Many listening sockets in a separate process. */
export class Crowd {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /** Resolves once all sockets are open and have sent their requests. */
  static async gather({ port, socketCount, requests }: CrowdOptions): Promise<Crowd> {
    const child = fork(program, [String(port), String(socketCount), ...requests], {
      execArgv: ['--import', 'tsx'],
    });
    child.once('exit', (code) => {
      if (code !== null) throw new Error(`the receiving process ended with ${code}`);
    });
    await once(child, 'message');
    return new Crowd(child);
  }

  /** Messages that have arrived at all sockets together. */
  async countMessages(): Promise<number> {
    const answer = once(this.#process, 'message');
    this.#process.send('count');
    const [{ messageCount }] = (await answer) as [{ readonly messageCount: number }];
    return messageCount;
  }

  async waitFor(messageCount: number): Promise<void> {
    while ((await this.countMessages()) < messageCount) await nextTurn();
  }

  async leave(): Promise<void> {
    const gone = once(this.#process, 'exit');
    this.#process.kill();
    await gone;
  }
}

/** Resolves in the next turn of the event loop. */
export async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
