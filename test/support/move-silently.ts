import type { Engine } from '../../src/engine/engine.ts';

interface Insides {
  readonly state: {
    readonly ledger: {
      readonly amounts: BigInt64Array;
      find(accountId: number, tokenId: number): number;
      findPerp(accountId: number, tokenId: number): number;
    };
  };
}

/**
 * Moves one unit of the first token between the spot balances of two accounts that have some, or
 * else between two perp wallets, without a posting: every sum stays right.
 */
export function moveSilently(engine: Engine): void {
  const { ledger } = (engine as unknown as Insides).state;
  const { amounts } = ledger;
  const accountIds = Array.from({ length: engine.accountCount }, (_, at) => at + 1);
  const isFunded = (cell: number): boolean => cell >= 0 && (amounts[cell] ?? 0n) > 0n;
  const spot = accountIds.map((accountId) => ledger.find(accountId, 0)).filter(isFunded);
  const perp = accountIds.map((accountId) => ledger.findPerp(accountId, 0)).filter(isFunded);
  const [from, to] = spot.length > 1 ? spot : perp;
  if (from === undefined || to === undefined) throw new Error('nobody has money to move');
  amounts[from] = (amounts[from] ?? 0n) - 1n;
  amounts[to] = (amounts[to] ?? 0n) + 1n;
}
