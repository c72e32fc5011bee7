import type { Ledger } from './ledger.ts';

/**
 * Computes every cell of a ledger a second time, from its postings alone: a balance that changed
 * without a posting, or by another amount, differs.
 */
export class LedgerRecount {
  private readonly ledger: Ledger;
  /** What each cell should hold. */
  private readonly sums = new Map<number, bigint>();

  /** Starts from the present balances, and receives every posting from now on. */
  constructor(ledger: Ledger) {
    this.ledger = ledger;
    for (const cell of ledger.cells()) this.sums.set(cell, ledger.balance(cell));
    ledger.listener = (from, to, amount) => {
      this.sums.set(from, (this.sums.get(from) ?? 0n) - amount);
      this.sums.set(to, (this.sums.get(to) ?? 0n) + amount);
    };
  }

  /** Each cell whose balance differs from the sum of its postings. */
  findBroken(): readonly string[] {
    const broken: string[] = [];
    for (const cell of this.ledger.cells()) {
      const [balance, sum] = [this.ledger.balance(cell), this.sums.get(cell) ?? 0n];
      if (balance === sum) continue;
      const place = this.ledger.describeCell(cell);
      broken.push(`ledger-recomputed: ${place} holds ${balance}, its postings make ${sum}`);
    }
    return broken;
  }
}
