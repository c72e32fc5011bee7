import type { TestContext } from 'vitest';

// What each method of a client comes to against the running service: the tests keep it in their
// report, of which docs/clients.md is made.

export type Dialect = 'interface' | 'binance';

/** `works`, `not offered`, or `refused: <code>`. */
export type Outcome = string;

export interface CallReport {
  readonly client: string;
  readonly dialect: Dialect;
  readonly calls: number;
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

declare module 'vitest' {
  interface TaskMeta {
    clientCalls?: CallReport;
  }
}

type Call = () => unknown;

/** The calls of one client under one dialect. */
export class ClientCalls {
  readonly #client: string;
  readonly #dialect: Dialect;
  readonly #outcomes = new Map<string, Outcome>();
  readonly failures: string[] = [];
  count = 0;

  constructor(client: string, dialect: Dialect) {
    this.#client = client;
    this.#dialect = dialect;
  }

  async make(method: string, call: Call): Promise<void> {
    this.count += 1;
    try {
      await call();
      this.#outcomes.set(method, 'works');
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome === null) this.failures.push(`${method}: ${textOf(error).slice(0, 300)}`);
      this.#outcomes.set(method, outcome ?? 'fails');
    }
  }

  /** An event has come, or an update of what is watched. */
  hear(name: string): void {
    this.count += 1;
    this.#outcomes.set(name, 'works');
  }

  methodsThat(outcome: Outcome): readonly string[] {
    return [...this.#outcomes].flatMap(([method, each]) => (each === outcome ? [method] : []));
  }

  report({ task }: TestContext): void {
    task.meta.clientCalls = {
      client: this.#client,
      dialect: this.#dialect,
      calls: this.count,
      outcomes: Object.fromEntries([...this.#outcomes].sort()),
    };
  }
}

/** Null if the failure says nothing of a refusal. */
function outcomeOf(error: unknown): Outcome | null {
  const text = textOf(error);
  const isOrder = /-2013|-2011/.test(text);
  if (!isOrder && /not[_ ]found|method not supported/i.test(text)) return 'not offered';
  const { code } = Object(error) as { readonly code?: unknown };
  const [, written] = /"code"\s*:\s*"?(-?\w+)/.exec(text) ?? [];
  const own = typeof code === 'number' || typeof code === 'string' ? String(code) : '';
  const found = /^-?\d+$/.test(own) ? own : written;
  return found === undefined ? null : `refused: ${found}`;
}

/** All that the clients keep of an answer. */
function textOf(error: unknown): string {
  const { name, message, body, responseText } = Object(error) as Record<string, unknown>;
  return [name, message, body, responseText]
    .map((part) => (typeof part === 'string' ? part : (JSON.stringify(part) ?? '')))
    .join(' ');
}
