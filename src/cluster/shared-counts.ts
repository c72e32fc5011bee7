import type { Time } from '../system/time.ts';
import type { Broadcast } from './broadcast.ts';

/** What one process reports to the others about its clients' requests. */
export interface CountsMessage<Counts> {
  readonly process: string;
  readonly counts: Counts;
}

/** The counts of a process that are shared with the others. */
export interface CountsOwner<Counts> {
  share(): void;
  /** What has changed since the last call; null if nothing has. */
  takeChanged(): Counts | null;
  note(process: string, counts: Counts): void;
}

const announceMs = 100;

/**
 * Reports to the other processes every 100 ms what clients have used of their limits here, so that
 * a client that spreads its requests over several processes gets no more than at one.
 */
export class SharedCounts<Counts> {
  readonly #time: Pick<Time, 'every'>;
  #owner: CountsOwner<Counts> | null = null;
  #end: () => void = () => undefined;

  constructor(time: Pick<Time, 'every'>) {
    this.#time = time;
  }

  use(owner: CountsOwner<Counts>): void {
    owner.share();
    this.#owner = owner;
  }

  attach(link: Broadcast<CountsMessage<unknown>>, process: string): void {
    link.onTold((message) => {
      if (message.process !== process) this.#owner?.note(message.process, message.counts as Counts);
    });
    this.#end = this.#time.every(announceMs, () => {
      const counts = this.#owner?.takeChanged() ?? null;
      if (counts !== null) link.tell({ process, counts });
    });
  }

  stop(): void {
    this.#end();
  }
}
