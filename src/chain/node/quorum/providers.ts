import type { Logger } from '../../../observability/log.ts';
import type { Time } from '../../../system/time.ts';
import type { ChainNode } from '../chain-node.ts';
import { ChainUnavailableError, type JsonRpc } from '../json-rpc.ts';

// Tracks which providers are asked, which were caught giving false answers, and since when they
// have disagreed.

export interface Provider {
  /** For the log; its address may contain a key. */
  readonly name: string;
  readonly rpc: JsonRpc;
  readonly node: ChainNode;
}

/** No answer was given by as many providers as the quorum. */
export class ChainDisagreementError extends ChainUnavailableError {
  override readonly name = 'ChainDisagreementError';
}

export interface ProvidersOptions {
  readonly providers: readonly Provider[];
  readonly quorum: number;
  readonly time: Pick<Time, 'monotonicMs' | 'after'>;
  readonly log: Logger;
}

const asideMs = 10 * 60_000;
/** A provider that was excluded this often stays excluded until the service is restarted. */
const offencesMax = 3;
const disagreementMsMax = 30_000;
/** How long to wait for late answers once the quorum has answered. */
const graceMs = 500;

interface ProviderState {
  offences: number;
  asideUntil: number;
}

export interface Answer<T> {
  readonly provider: Provider;
  readonly value: T;
}

export class Providers {
  readonly #options: ProvidersOptions;
  readonly #standings = new Map<Provider, ProviderState>();
  /** Since when each kind of question has had no answer of the quorum. */
  readonly #disagreedAt = new Map<string, number>();
  #lastWords = '';

  constructor(options: ProvidersOptions) {
    this.#options = options;
  }

  get quorum(): number {
    return this.#options.quorum;
  }

  /** The providers that are asked now. */
  get usable(): readonly Provider[] {
    return this.#options.providers.filter((provider) => !this.#isAside(provider));
  }

  get excludedCount(): number {
    return this.#options.providers.length - this.usable.length;
  }

  /** How long some question has had no agreed answer; 0 for none. */
  get disagreementSeconds(): number {
    const since = [...this.#disagreedAt.values()];
    if (since.length === 0) return 0;
    return Math.floor((this.#now() - Math.min(...since)) / 1_000);
  }

  /** Why nothing may be signed; null while the providers agree. */
  get fault(): string | null {
    if (this.usable.length < this.quorum) {
      return `${this.usable.length} of the ${this.quorum} required providers remain`;
    }
    if (this.disagreementSeconds * 1_000 < disagreementMsMax) return null;
    return `the providers disagree: ${this.#lastWords}`;
  }

  /** Excludes a provider for some time because its answer contradicts a proof. */
  putAside(provider: Provider, what: string): void {
    const standing = this.#standings.get(provider) ?? { offences: 0, asideUntil: 0 };
    standing.offences += 1;
    const isOut = standing.offences >= offencesMax;
    standing.asideUntil = isOut ? Number.POSITIVE_INFINITY : this.#now() + asideMs;
    this.#standings.set(provider, standing);
    const details = { provider: provider.name, what, offences: standing.offences };
    this.#options.log.error(details, 'a provider contradicts a proof and is excluded');
  }

  /**
   * Returns the answer that a quorum of providers gives, as soon as enough have.
   * @throws ChainDisagreementError; ChainUnavailableError if too few answer
   */
  async agree<T>(
    what: string,
    ask: (provider: Provider) => Promise<T>,
    keyOf: (value: T) => string = keyOfPlain,
  ): Promise<T> {
    const groups = new Map<string, Answer<T>[]>();
    let lastError: unknown = null;
    const asked = this.usable.map(async (provider) => {
      try {
        const value = await ask(provider);
        const key = keyOf(value);
        groups.set(key, [...(groups.get(key) ?? []), { provider, value }]);
      } catch (error) {
        lastError = error;
      }
    });
    const settled = Promise.all(asked);
    const agreed = (): T | undefined =>
      [...groups.values()].find((answers) => answers.length >= this.quorum)?.[0]?.value;
    await firstToHold(asked, () => agreed() !== undefined);
    const isAgreed = [...groups.values()].some(({ length }) => length >= this.quorum);
    if (isAgreed) {
      this.#disagreedAt.delete(kindOf(what));
      void settled.then(() => this.#reportDissent(what, groups));
      return agreed() as T;
    }
    if (groups.size > 1) throw this.#disagree(what, groups);
    if (lastError instanceof ChainUnavailableError) throw lastError;
    throw new ChainUnavailableError(`${what}: too few providers answer`, { cause: lastError });
  }

  /** Returns the answers that arrive in time, at least the quorum. */
  async collect<T>(
    what: string,
    ask: (provider: Provider) => Promise<T>,
  ): Promise<readonly Answer<T>[]> {
    const answers: Answer<T>[] = [];
    let lastError: unknown = null;
    const asked = this.usable.map(async (provider) => {
      try {
        answers.push({ provider, value: await ask(provider) });
      } catch (error) {
        lastError = error;
      }
    });
    await firstToHold(asked, () => answers.length >= this.quorum);
    await new Promise<void>((resolve) => {
      const cancel = this.#options.time.after(graceMs, resolve);
      void Promise.all(asked).then(() => {
        cancel();
        resolve();
      });
    });
    if (answers.length >= this.quorum) return answers;
    if (lastError instanceof ChainUnavailableError) throw lastError;
    throw new ChainUnavailableError(`${what}: too few providers answer`, { cause: lastError });
  }

  #now(): number {
    return this.#options.time.monotonicMs();
  }

  #isAside(provider: Provider): boolean {
    return (this.#standings.get(provider)?.asideUntil ?? 0) > this.#now();
  }

  #disagree<T>(what: string, groups: ReadonlyMap<string, readonly Answer<T>[]>): Error {
    const words = wordsOf(what, groups);
    const kind = kindOf(what);
    if (!this.#disagreedAt.has(kind)) this.#disagreedAt.set(kind, this.#now());
    this.#say(words);
    return new ChainDisagreementError(`the providers disagree: ${words}`);
  }

  #reportDissent<T>(what: string, groups: ReadonlyMap<string, readonly Answer<T>[]>): void {
    if (groups.size > 1) this.#say(wordsOf(what, groups));
  }

  #say(words: string): void {
    if (words === this.#lastWords) return;
    this.#lastWords = words;
    this.#options.log.error({ words }, 'the providers of the chain disagree');
  }
}

// The kind of a question, whatever block or account it is about.
function kindOf(what: string): string {
  return what.split(' ')[0] ?? what;
}

function wordsOf<T>(what: string, groups: ReadonlyMap<string, readonly Answer<T>[]>): string {
  const said = [...groups].map(([key, answers]) => {
    const names = answers.map(({ provider }) => provider.name).sort();
    return `${names.join(', ')} answered ${key.slice(0, 80)}`;
  });
  return `${what}: ${said.sort().join('; ')}`;
}

/** Resolves once one of them has settled and the condition holds, or once all are done. */
async function firstToHold(asked: readonly Promise<void>[], holds: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    let left = asked.length;
    if (left === 0) resolve();
    for (const each of asked) {
      void each.then(() => {
        left -= 1;
        if (left === 0 || holds()) resolve();
      });
    }
  });
}

function keyOfPlain(value: unknown): string {
  return (
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)) ??
    'nothing'
  );
}
