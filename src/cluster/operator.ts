import type { NatsConnection } from '@nats-io/transport-node';
import type { ClusterNames } from './cluster-names.ts';
import type { MemberChange } from './member-list.ts';

/** What an operator asks of the processes; each answers what concerns it. */
export type OperatorQuestion =
  | { readonly type: 'change'; readonly change: MemberChange }
  | { readonly type: 'begin'; readonly without: readonly string[] };

export interface OperatorAnswer {
  readonly isDone: boolean;
  /** A sentence for the operator. */
  readonly text: string;
}

/** Lets an operator speak to the processes of one exchange. */
export interface OperatorLink {
  /** Sets what answers; null: the question is for another process. */
  answer(decide: (question: OperatorQuestion) => Promise<OperatorAnswer | null>): void;
}

export class NatsOperatorLink implements OperatorLink {
  readonly #connection: NatsConnection;
  readonly #subject: string;

  constructor(connection: NatsConnection, names: ClusterNames) {
    this.#connection = connection;
    this.#subject = names.operatorSubject;
  }

  answer(decide: (question: OperatorQuestion) => Promise<OperatorAnswer | null>): void {
    this.#connection.subscribe(this.#subject, {
      callback: (error, message) => {
        if (error !== null) return;
        decide(message.json<OperatorQuestion>()).then(
          (answer) => answer !== null && message.respond(JSON.stringify(answer)),
          (failure: unknown) =>
            message.respond(JSON.stringify({ isDone: false, text: String(failure) })),
        );
      },
    });
  }
}
