import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** A statement with its parameters; one with a name is parsed once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
}

/** Rows for a table in the text format of COPY. */
export interface CopyStatement {
  readonly text: string;
  readonly data: Buffer;
}

export interface StatementRunner {
  run<R extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<R>>;
  copy(statement: CopyStatement): Promise<void>;
}

/**
 * Runs statements one after the other in the order in which they are given, so that the next one
 * can be prepared while one is running. After a failure no later one is sent.
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

  /** Runs the work in its turn; if it throws, everything behind it fails. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn;
    // The caller handles the error; here it only has to stop the rest.
    turn.catch(() => undefined);
    return turn;
  }
}
