import { type NatsConnection, NoRespondersError } from '@nats-io/transport-node';
import type { Sequence } from '../domain/identifiers.ts';
import type { ClusterNames } from './cluster-names.ts';
import type { MemberList } from './member-list.ts';

/** How far a history goes. Epochs count first: an older one may end in unacknowledged commands. */
export interface HistoryProgress {
  /** The last epoch whose opening is in the history. */
  readonly epoch: number;
  readonly sequence: Sequence;
}

/** How far the history of a process goes, and whether it could own the exchange. */
export interface RollAnswer extends HistoryProgress {
  readonly process: string;
  /** The number in its journal's folder. */
  readonly member: string;
  /** Where it runs, as shown to operators. */
  readonly label: string;
  /** The newest list of members that it holds. */
  readonly list: MemberList;
  readonly isFit: boolean;
  /** Whether it may own the exchange, and so be a member; absent means that it may. */
  readonly mayOwn?: boolean;
  /** Whether the epoch that was asked for is promised; false if none was. */
  readonly hasPromised: boolean;
}

export interface RollQuestion {
  readonly process: string;
  /** The epoch that is to be promised to that process; null if it only wants to know. */
  readonly epoch: number | null;
}

/** Lets the processes of one exchange ask each other how far their histories go. */
export interface RollCall {
  /** Sets what this process answers to the others; it may be slow, or fail and not answer. */
  answer(report: (question: RollQuestion) => Promise<RollAnswer>): void;
  /**
   * The answers that arrive in time; resolves at once when there are enough. With an epoch, each
   * answer follows the promise.
   */
  ask(isEnough: IsEnough, epoch: number | null): Promise<readonly RollAnswer[]>;
}

export type IsEnough = (answers: readonly RollAnswer[]) => boolean;

export function isBeyond(one: HistoryProgress, other: HistoryProgress): boolean {
  if (one.epoch !== other.epoch) return one.epoch > other.epoch;
  return one.sequence > other.sequence;
}

// A process whose event loop is running answers within a few milliseconds.
const answerTimeoutMs = 300;

export class NatsRollCall implements RollCall {
  readonly #connection: NatsConnection;
  readonly #subject: string;
  readonly #process: string;

  constructor(connection: NatsConnection, names: ClusterNames, process: string) {
    this.#connection = connection;
    this.#subject = names.rollSubject;
    this.#process = process;
  }

  answer(report: (question: RollQuestion) => Promise<RollAnswer>): void {
    this.#connection.subscribe(this.#subject, {
      callback: (error, message) => {
        if (error !== null) return;
        const question = message.json<RollQuestion>();
        if (question.process === this.#process) return;
        report(question).then(
          (answer) => message.respond(JSON.stringify(answer)),
          // A process that could not store its promise does not answer.
          () => undefined,
        );
      },
    });
  }

  async ask(isEnough: IsEnough, epoch: number | null): Promise<readonly RollAnswer[]> {
    const answers: RollAnswer[] = [];
    if (isEnough(answers)) return answers;
    try {
      await this.#collect(answers, isEnough, epoch);
    } catch (error) {
      // There are no listeners, not even this process: it does not answer yet.
      if (!(error instanceof NoRespondersError)) throw error;
    }
    return answers;
  }

  async #collect(answers: RollAnswer[], isEnough: IsEnough, epoch: number | null): Promise<void> {
    const question: RollQuestion = { process: this.#process, epoch };
    const replies = await this.#connection.requestMany(this.#subject, JSON.stringify(question), {
      strategy: 'timer',
      maxWait: answerTimeoutMs,
    });
    for await (const reply of replies) {
      // The same while its connection is new.
      if (reply instanceof Error || reply.headers?.code === 503) break;
      answers.push(reply.json<RollAnswer>());
      if (isEnough(answers)) break;
    }
  }
}
