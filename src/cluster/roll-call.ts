import type { NatsConnection } from '@nats-io/transport-node';
import type { Sequence } from '../domain/identifiers.ts';
import type { ClusterNames } from './cluster-names.ts';

/** How far a process is, and whether it could own the exchange. */
export interface RollAnswer {
  readonly process: string;
  /** Of the last command in its journal. */
  readonly sequence: Sequence;
  readonly isFit: boolean;
}

/** Processes of one exchange asking each other how far they are. */
export interface RollCall {
  /** What this process answers to the others. */
  answer(report: () => RollAnswer): void;
  /** Those of the others that answer in time; at once where as many as expected have. */
  ask(expected: number): Promise<readonly RollAnswer[]>;
}

// Answers come within some milliseconds from a process that turns.
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
      // Nobody listens, not even this process: its connection is new.
      if (reply instanceof Error || reply.headers?.code === 503) break;
      const answer = reply.json<RollAnswer>();
      if (answer.process !== this.#process) answers.push(answer);
      if (answers.length >= expected) break;
    }
    return answers;
  }
}
