import type {
  OperatorTransaction,
  TransactionPurpose,
  TransactionRefusal,
  TransactionResult,
  TransactionStore,
  TransactionVersion,
} from '../../../src/application/ports/chain-ledger.ts';
import type { Address } from '../../../src/domain/identifiers.ts';

/** The operator's transactions in memory, with the database's constraints. */
export class MemoryTransactionStore implements TransactionStore {
  readonly transactions: OperatorTransaction[] = [];
  /** Called before each write; throwing is what a database in trouble does. */
  onWrite: (what: string) => void = () => undefined;

  async find(purpose: TransactionPurpose): Promise<OperatorTransaction | null> {
    return this.transactions.find(isFor(purpose)) ?? null;
  }

  async listOpen(sender: Address): Promise<readonly OperatorTransaction[]> {
    return this.transactions
      .filter((entry) => entry.sender === sender && entry.result === null)
      .sort((left, right) => left.nonce - right.nonce);
  }

  async listOpenOfOthers(sender: Address): Promise<readonly OperatorTransaction[]> {
    return this.transactions.filter((entry) => entry.sender !== sender && entry.result === null);
  }

  async loadNextNonce(sender: Address): Promise<number> {
    const own = this.transactions.filter((entry) => entry.sender === sender);
    return Math.max(-1, ...own.map(({ nonce }) => nonce)) + 1;
  }

  async loadSpent(purpose: TransactionPurpose['purpose'], since: number): Promise<bigint> {
    const costs = this.transactions
      .filter((entry) => entry.purpose === purpose && (entry.versions[0]?.sentAt ?? since) >= since)
      .map(({ gasLimit, versions }) =>
        versions.reduce((most, { maxFeePerGas }) => {
          const cost = gasLimit * maxFeePerGas;
          return cost > most ? cost : most;
        }, 0n),
      );
    return costs.reduce((sum, cost) => sum + cost, 0n);
  }

  async insert(transaction: OperatorTransaction): Promise<void> {
    this.onWrite('insert');
    const { sender, nonce } = transaction;
    const isTaken = this.transactions.some(
      (entry) => isFor(transaction)(entry) || (entry.sender === sender && entry.nonce === nonce),
    );
    if (isTaken) throw new Error('duplicate transaction');
    this.transactions.push(transaction);
  }

  async addVersion(purpose: TransactionPurpose, version: TransactionVersion): Promise<void> {
    this.onWrite('addVersion');
    this.#change(isFor(purpose), (entry) => ({
      ...entry,
      versions: [...entry.versions, version],
    }));
  }

  async markSent(hash: string, sentAt: number): Promise<void> {
    this.onWrite('markSent');
    this.#changeVersion(hash, (version) => ({ ...version, sentAt: version.sentAt ?? sentAt }));
  }

  async noteAnswer(hash: string, refusal: TransactionRefusal | null): Promise<void> {
    this.onWrite('noteAnswer');
    this.#changeVersion(hash, (version) => ({
      ...version,
      refusal,
      refusalCount: version.refusalCount + (refusal === null ? 0 : 1),
      isTaken: version.isTaken || refusal === null,
    }));
  }

  #changeVersion(hash: string, change: (version: TransactionVersion) => TransactionVersion): void {
    this.#change(
      ({ versions }) => versions.some((version) => version.hash === hash),
      (entry) => ({
        ...entry,
        versions: entry.versions.map((each) => (each.hash === hash ? change(each) : each)),
      }),
    );
  }

  async requestCancel(purpose: TransactionPurpose): Promise<void> {
    this.onWrite('requestCancel');
    this.#change(isFor(purpose), (entry) => ({ ...entry, isCancelRequested: true }));
  }

  async finish(purpose: TransactionPurpose, result: TransactionResult): Promise<void> {
    this.onWrite('finish');
    this.#change(isFor(purpose), (entry) => ({ ...entry, result }));
  }

  /** What the database does with them when blocks are taken back. */
  reopenAfter(block: number): void {
    this.#change(
      ({ result }) => result !== null && result.block > block,
      (entry) => ({ ...entry, result: null }),
    );
  }

  #change(
    isMeant: (entry: OperatorTransaction) => boolean,
    change: (entry: OperatorTransaction) => OperatorTransaction,
  ): void {
    this.transactions.forEach((entry, index) => {
      if (isMeant(entry)) this.transactions[index] = change(entry);
    });
  }
}

function isFor({ purpose, reference }: TransactionPurpose) {
  return (entry: TransactionPurpose): boolean =>
    entry.purpose === purpose && entry.reference === reference;
}
