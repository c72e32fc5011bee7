import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const samplePeriodMs = 250;
const ticksPerSecond = 100;
const outputMax = 20_000;

/** A server in a separate process, which says `listening <port>` on its standard output. */
export class ChildServer {
  readonly #child: ChildProcess;
  readonly port: number;
  #output = '';

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    child.stdout?.on('data', (text: string) => {
      this.#output = (this.#output + text).slice(-outputMax);
    });
  }

  /** The newest lines that the process has logged since it listened. */
  get output(): string {
    return this.#output;
  }

  /** @throws Error if the process ends before it listens. */
  static async start(
    script: URL,
    environment: Readonly<Record<string, string>> = {},
    listening = /listening (\d+)/,
    nodeOptions: readonly string[] = [],
  ): Promise<ChildServer> {
    const loader = script.pathname.endsWith('.ts') ? ['--import', 'tsx'] : [];
    const words = [...nodeOptions, ...loader, script.pathname];
    const child = spawn(process.execPath, words, {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const port = await new Promise<number>((resolve, reject) => {
      let said = '';
      child.stdout.setEncoding('utf8');
      child.stdout.on('data', (text: string) => {
        said = (said + text).slice(-outputMax);
        const match = listening.exec(said);
        if (match !== null) resolve(Number(match[1]));
      });
      child.once('exit', (code) => reject(new Error(`${script.pathname} ended: ${code}\n${said}`)));
    });
    return new ChildServer(child, port);
  }

  /** Resolves once the process has next to nothing to do. */
  async quiet(): Promise<void> {
    for (;;) {
      const before = this.#cpuTicks();
      await pause(samplePeriodMs);
      const share = (this.#cpuTicks() - before) / ticksPerSecond / (samplePeriodMs / 1000);
      if (share < 0.1) return;
    }
  }

  /** What the process has used of the processor, in seconds, its own code's part alone too. */
  get cpuSeconds(): { readonly total: number; readonly user: number } {
    const [user, system] = this.#cpuTimes();
    return { total: (user + system) / ticksPerSecond, user: user / ticksPerSecond };
  }

  /** What the thread that answers requests has used of the processor, in seconds. */
  get mainThreadSeconds(): number {
    const { pid } = this.#child;
    const nanoseconds = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0];
    return Number(nanoseconds) / 1e9;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill(signal);
    await ended;
  }

  #cpuTicks(): number {
    const [user, system] = this.#cpuTimes();
    return user + system;
  }

  #cpuTimes(): readonly [user: number, system: number] {
    const fields = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ');
    return [Number(fields?.[11]), Number(fields?.[12])];
  }
}
