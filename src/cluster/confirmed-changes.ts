import type { Time } from '../system/time.ts';
import type { Broadcast } from './broadcast.ts';

/** Messages about changes that every process has to read from the database. */
export type ChangeMessage =
  | { readonly type: 'here'; readonly process: string }
  | {
      readonly type: 'changed';
      readonly process: string;
      readonly id: number;
      readonly key: string;
    }
  | {
      readonly type: 'applied';
      readonly process: string;
      readonly to: string;
      readonly id: number;
    };

interface Waiting {
  readonly processes: Set<string>;
  readonly finish: () => void;
}

const hereMs = 1_000;
const timeoutMs = 5_000;

/**
 * Waits until a change is applied by every process. A process that has been silent for 5 s is not
 * waited for: without NATS it accepts no order and answers no live read.
 */
export class ConfirmedChanges {
  readonly #time: Pick<Time, 'monotonicMs' | 'every' | 'after'>;
  readonly #heardAt = new Map<string, number>();
  readonly #waiting = new Map<number, Waiting>();
  #link: Broadcast<ChangeMessage> | null = null;
  #process = '';
  #apply: (key: string) => Promise<void> = () => Promise.resolve();
  #end: () => void = () => undefined;
  #changes = 0;

  constructor(time: Pick<Time, 'monotonicMs' | 'every' | 'after'>) {
    this.#time = time;
  }

  /** Sets how this process reads what another one has changed. */
  use(apply: (key: string) => Promise<void>): void {
    this.#apply = apply;
  }

  attach(link: Broadcast<ChangeMessage>, process: string): void {
    this.#link = link;
    this.#process = process;
    link.onTold((message) => {
      if (message.process !== process) this.#onTold(message);
    });
    const tellHere = (): void => link.tell({ type: 'here', process });
    tellHere();
    this.#end = this.#time.every(hereMs, tellHere);
  }

  /** Resolves once all processes heard from in the last 5 s have applied it, or after 5 s. */
  confirm(key: string): Promise<void> {
    const now = this.#time.monotonicMs();
    const there = [...this.#heardAt].filter(([, heardAt]) => now - heardAt < timeoutMs);
    if (this.#link === null || there.length === 0) return Promise.resolve();
    this.#changes += 1;
    const id = this.#changes;
    const confirmed = new Promise<void>((resolve) => {
      const cancel = this.#time.after(timeoutMs, () => finish());
      const finish = (): void => {
        cancel();
        this.#waiting.delete(id);
        resolve();
      };
      this.#waiting.set(id, { processes: new Set(there.map(([process]) => process)), finish });
    });
    this.#link.tell({ type: 'changed', process: this.#process, id, key });
    return confirmed;
  }

  stop(): void {
    this.#end();
    for (const { finish } of [...this.#waiting.values()]) finish();
  }

  #onTold(message: ChangeMessage): void {
    const { process } = message;
    this.#heardAt.set(process, this.#time.monotonicMs());
    if (message.type === 'applied' && message.to === this.#process) {
      const waiting = this.#waiting.get(message.id);
      waiting?.processes.delete(process);
      if (waiting?.processes.size === 0) waiting.finish();
    }
    if (message.type !== 'changed') return;
    const { id, key } = message;
    this.#apply(key).then(
      () => this.#link?.tell({ type: 'applied', process: this.#process, to: process, id }),
      // A change that could not be applied is not confirmed.
      () => undefined,
    );
  }
}
