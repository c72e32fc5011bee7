import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { vi } from 'vitest';
import { projectRoot } from '../architecture/source-files.ts';

// Less than a test of the suite may take, so that the failure is reported.
const readyOptions = { timeout: 150_000, interval: 50 };
// How much of the log is in the error of a service that does not get ready.
const linesShownMax = 20;

interface LogLine {
  readonly level?: string;
  readonly msg?: string;
  readonly url?: string;
}

/** The service as an operator runs it: a separate process with its settings. */
export class ServiceProcess {
  readonly process: ChildProcess;
  readonly lines: LogLine[] = [];
  errorText = '';
  url = '';
  readonly #exited: Promise<number | null>;
  readonly #waiting = new Set<() => void>();

  private constructor(settings: Readonly<Record<string, string>>, args: readonly string[]) {
    // As npm start runs it: compiled, if that is current.
    const run = [join(projectRoot, 'tools/run.mjs'), 'main'];
    this.process = spawn(process.execPath, [...run, ...args], {
      cwd: projectRoot,
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Resolves once its last output is read, too.
    this.#exited = once(this.process, 'close').then(([code]) => code as number | null);
    createInterface({ input: this.process.stdout! }).on('line', (line) => {
      this.lines.push(JSON.parse(line) as LogLine);
      for (const check of this.#waiting) check();
    });
    this.process.stderr!.on('data', (data: Buffer) => (this.errorText += data.toString()));
  }

  /** Resolves once /readyz answers 200. */
  static async start(
    settings: Readonly<Record<string, string>>,
    args: readonly string[] = [],
  ): Promise<ServiceProcess> {
    const service = ServiceProcess.spawn(settings, args);
    await service.#becomeReady();
    return service;
  }

  /** A process that may never be ready. */
  static spawn(
    settings: Readonly<Record<string, string>>,
    args: readonly string[] = [],
  ): ServiceProcess {
    return new ServiceProcess(settings, args);
  }

  /** Resolves with the first line of that message; rejects if the process ends before it. */
  logged(message: string): Promise<LogLine> {
    const find = (): LogLine | undefined => this.lines.find((line) => line.msg === message);
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const line = find();
        if (line === undefined) return;
        this.#waiting.delete(check);
        resolve(line);
      };
      this.#waiting.add(check);
      check();
      void this.#exited.then((code) => {
        reject(new Error(`ended with ${code} before "${message}": ${this.errorText}`));
      });
    });
  }

  async #becomeReady(): Promise<void> {
    let answer = 'nothing yet';
    const isReady = async (): Promise<boolean> => {
      const { exitCode, signalCode } = this.process;
      if (exitCode !== null || signalCode !== null) throw new Error('the process ended');
      if (!this.lines.some(({ msg }) => msg === 'ready for orders')) return false;
      this.url = this.lines.find((line) => line.url !== undefined)?.url ?? '';
      const reply = await fetch(`${this.url}/readyz`);
      answer = await reply.text();
      return reply.ok;
    };
    await vi.waitUntil(isReady, readyOptions).catch((cause: unknown) => {
      this.process.kill('SIGKILL');
      // The log would hold nothing but the lines of these requests.
      const lines = this.lines.filter(({ msg }) => msg !== 'request').slice(-linesShownMax);
      const words = lines.map((line) => JSON.stringify(line));
      const text = [`not ready; /readyz: ${answer}`, ...words, this.errorText].join('\n');
      throw new Error(text, { cause });
    });
  }

  /** The exit code; null if a signal ended it. */
  exited(): Promise<number | null> {
    return this.#exited;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.process.kill(signal);
    return this.#exited;
  }
}
