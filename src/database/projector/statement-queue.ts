import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** A statement with its parameters; one with a name is parsed once a connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
}

/** Rows for a table in the text form of COPY. */
export interface CopyStatement {
  readonly text: string;
  readonly data: Buffer;
}

export interface StatementRunner {
  run<R extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<R>>;
  copy(statement: CopyStatement): Promise<void>;
}

/**
 * Runs statements one after the other in the order in which they were given, so that the next one
 * can be made ready while one is under way. After a failure no later one is sent.
 */
export class StatementQueue implements StatementRunner {
  readonly #client: pg.ClientBase;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  run<R extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<R>> {
    return this.inTurn(() => this.#client.query<R>(statement));
  }

  copy({ text, data }: CopyStatement): Promise<void> {
    return this.inTurn(
      () =>
        new Promise((resolve, reject) => {
          const stream = this.#client.query(copyFrom(text));
          stream.on('error', reject).on('finish', resolve).end(data);
        }),
    );
  }

  /** Work in its turn; what it throws fails all that comes behind it. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn;
    // Whoever gave the work is told; here it only has to stop the rest.
    turn.catch(() => undefined);
    return turn;
  }
}
