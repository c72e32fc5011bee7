import type {
  ChainHalt,
  ChainHaltKind,
  ChainHaltStore,
  RaisedHalt,
  SignerRole,
} from '../application/ports/chain-halts.ts';
import type { Logger } from '../observability/log.ts';

const unknownFault = 'the halts are not known yet';
const serviceName = 'service';

/** The halts as they were last read; until they have been read, nothing may be signed. */
export class ChainHalts {
  readonly #store: ChainHaltStore;
  readonly #log: Logger;
  #open: readonly ChainHalt[] | null = null;

  constructor(store: ChainHaltStore, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  get count(): number {
    return this.#open?.length ?? 0;
  }

  countOf(kind: ChainHaltKind): number {
    return this.#open?.filter((halt) => halt.kind === kind).length ?? 0;
  }

  isOpen(kind: ChainHaltKind): boolean {
    return this.countOf(kind) > 0;
  }

  /** Why the role may sign nothing; null if no halt is open that concerns it. */
  faultOf(role: SignerRole): string | null {
    if (this.#open === null) return unknownFault;
    const first = this.#open.find((halt) => (halt.role ?? role) === role);
    return first === undefined ? null : `halted (${first.kind}): ${first.detail}`;
  }

  /** @throws DatabaseError */
  async refresh(): Promise<void> {
    this.#open = await this.#store.listOpen();
  }

  /** Raises a halt: nothing is signed from here on until people have cleared it. */
  async raise(halt: RaisedHalt): Promise<void> {
    const isNew = await this.#store.raise(halt, serviceName);
    if (isNew) this.#log.error(halt, 'signing is halted until an administrator clears it');
    await this.refresh();
  }
}
