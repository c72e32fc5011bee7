import { Worker } from 'node:worker_threads';
import type {
  ProjectorHandle,
  ProjectorParts,
  ProjectorStarter,
} from '../database/database-services.ts';
import { DatabaseAheadError } from '../database/projector/journal-end.ts';
import { assertNever } from '../domain/assert.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { AuditReport } from './audits.ts';
import type {
  ProjectorMessage,
  ProjectorRequest,
  ProjectorThreadSettings,
} from './projector-messages.ts';
import { workerModule } from './worker-module.ts';

export interface ProjectorThreadOptions {
  readonly settings: ProjectorThreadSettings;
  /** The database holds everything up to the position. */
  readonly onPosition: (position: Sequence) => void;
  /** The replica has applied everything that the journal held at the start. */
  readonly onCaughtUp: () => void;
  /** A snapshot was audited. */
  readonly onAudited: (report: AuditReport) => void;
  /** The thread ended unexpectedly: it has a bug, and nothing is projected any more. */
  readonly onFatal: (error: unknown) => void;
  /** With several processes, of which one projects at a time: reports whether it is this one. */
  readonly watchLead?: (onChange: (isLeading: boolean) => void) => void;
}

const youngGenerationMb = 96;
// How long a stop waits for the batch or snapshot that is being written.
const stopTimeoutMs = 5_000;

/** Runs the projector, and the engine replica that it reads from, on a separate thread. */
export function projectInThread(options: ProjectorThreadOptions): ProjectorStarter {
  return (parts) => new ProjectorThread(options, parts);
}

class ProjectorThread implements ProjectorHandle {
  readonly #options: ProjectorThreadOptions;
  readonly #parts: ProjectorParts;
  #worker: Worker | null = null;
  #ended: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(options: ProjectorThreadOptions, parts: ProjectorParts) {
    this.#options = options;
    this.#parts = parts;
  }

  start(): void {
    if (this.#worker !== null) return;
    const { entry, module } = workerModule('projector-worker');
    const worker = new Worker(entry, {
      workerData: { module: module.href, settings: this.#options.settings },
      name: 'projector',
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    });
    this.#worker = worker;
    this.#ended = new Promise((resolve) => {
      worker.once('exit', (code) => {
        resolve();
        if (this.#isStopping) return;
        this.#options.onFatal(new Error(`the projector's thread ended with ${code}`));
      });
    });
    worker.on('error', (error) => this.#options.onFatal(error));
    worker.on('message', (news: ProjectorMessage) => this.#onMessage(news));
    this.#request('start');
    this.#options.watchLead?.((isLeading) => this.#request(isLeading ? 'lead' : 'follow'));
  }

  async stop(): Promise<void> {
    if (this.#isStopping) return this.#ended;
    this.#isStopping = true;
    this.#request('stop');
    const timer = setTimeout(() => void this.#worker?.terminate(), stopTimeoutMs);
    await this.#ended;
    clearTimeout(timer);
  }

  #request(request: ProjectorRequest): void {
    this.#worker?.postMessage(request);
  }

  #onMessage(news: ProjectorMessage): void {
    const { observer, onPrepared } = this.#parts;
    switch (news.type) {
      case 'prepared':
        return onPrepared();
      case 'caughtUp':
        return this.#options.onCaughtUp();
      case 'position':
        this.#options.onPosition(news.position);
        return observer.onPosition(news.position);
      case 'batch':
        return observer.onBatch(news.batch);
      case 'audited':
        return this.#options.onAudited(news.report);
      case 'failure': {
        const { isDatabaseAhead, text } = news;
        const error = isDatabaseAhead ? new DatabaseAheadError(text) : new Error(text);
        observer.onFailure(error);
        // A leading process must end: its journal would outgrow the database and two histories
        // would mix.
        if (isDatabaseAhead && this.#options.settings.isLeading) this.#options.onFatal(error);
        return;
      }
      default:
        return assertNever(news);
    }
  }
}
