import type { NatsConnection } from '@nats-io/transport-node';
import type { Sequence } from '../domain/identifiers.ts';
import type { ClusterNames } from './cluster-names.ts';

/** How far a process is, and whether it could own the exchange. */
export interface RollAnswer {
  readonly process: string;
  /** The last command in its journal. */
  readonly sequence: Sequence;
  readonly isFit: boolean;
}

/** Lets the processes of one exchange ask each other how far they are. */
export interface RollCall {
  /** Sets what this process answers to the others. */
  answer(report: () => RollAnswer): void;
  /** The answers that arrive in time; resolves at once when the expected number has arrived. */
  ask(expected: number): Promise<readonly RollAnswer[]>;
}

// A process whose event loop is running answers within a few milliseconds.
const patienceMs = 300;

export class NatsRollCall implements RollCall {
  readonly #connection: NatsConnection;
  readonly #subject: string;
  readonly #process: string;

  constructor(connection: NatsConnection, names: ClusterNames, process: string) {
    this.#connection = connection;
    this.#subject = names.rollSubject;
    this.#process = process;
  }

  answer(report: () => RollAnswer): void {
    this.#connection.subscribe(this.#subject, {
      callback: (error, message) => {
        if (error === null) message.respond(JSON.stringify(report()));
      },
    });
  }

  async ask(expected: number): Promise<readonly RollAnswer[]> {
    const answers: RollAnswer[] = [];
    if (expected === 0) return answers;
    const replies = await this.#connection.requestMany(this.#subject, '', {
      strategy: 'timer',
      maxWait: patienceMs,
    });
    for await (const reply of replies) {
      // There are no listeners, not even this process: its connection is new.
      if (reply instanceof Error || reply.headers?.code === 503) break;
      const answer = reply.json<RollAnswer>();
      if (answer.process !== this.#process) answers.push(answer);
      if (answers.length >= expected) break;
    }
    return answers;
  }
}
