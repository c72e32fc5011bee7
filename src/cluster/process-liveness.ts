import { type NatsConnection, NoRespondersError, RequestError } from '@nats-io/transport-node';
import type { Time } from '../system/time.ts';
import type { ClusterNames } from './cluster-names.ts';

/** Shows whether another process of the exchange has ended, before its lease expires. */
export interface ProcessLiveness {
  /**
   * Whether the process has no connection to the server. False if that cannot be determined: a
   * process that is paused or cut off closes nothing.
   */
  isGone(process: string): Promise<boolean>;
}

const answerTimeoutMs = 100;
const askAgainMs = 200;
/** How long all processes have to connect again after a restart of the server, in milliseconds. */
const reconnectedMs = 1_000;

/** Asks over NATS, whose server reports at once that a process is no longer connected. */
export class NatsProcessLiveness implements ProcessLiveness {
  readonly #connection: NatsConnection;
  readonly #names: ClusterNames;
  readonly #time: Time;
  #connectedAt: number;

  constructor(connection: NatsConnection, names: ClusterNames, process: string, time: Time) {
    this.#connection = connection;
    this.#names = names;
    this.#time = time;
    this.#connectedAt = -reconnectedMs;
    connection.subscribe(names.aliveSubject(process), {
      callback: (error, message) => {
        if (error === null) message.respond();
      },
    });
    void this.#watchReconnects();
  }

  async isGone(process: string): Promise<boolean> {
    const subject = this.#names.aliveSubject(process);
    if (!(await this.#isAbsent(subject))) return false;
    await this.#time.sleep(askAgainMs);
    if (!(await this.#isAbsent(subject))) return false;
    return this.#time.monotonicMs() - this.#connectedAt > reconnectedMs;
  }

  async #isAbsent(subject: string): Promise<boolean> {
    try {
      await this.#connection.request(subject, undefined, { timeout: answerTimeoutMs });
      return false;
    } catch (error) {
      if (error instanceof RequestError) return error.isNoResponders();
      return error instanceof NoRespondersError;
    }
  }

  async #watchReconnects(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'reconnect') this.#connectedAt = this.#time.monotonicMs();
    }
  }
}
