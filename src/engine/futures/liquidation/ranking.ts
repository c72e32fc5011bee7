import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { Position } from '../accounts/stored-positions.ts';
import type { FuturesState } from '../futures-state.ts';
import { equityOf, notionalOf, unrealizedProfit } from '../margin/account-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { BestRanked } from './best-ranked.ts';

// Whoever profits most with the most leverage gives up his position first. The score is profit /
// entry x notional / equity; a position at a loss is ranked by profit / entry / (notional /
// equity).
// https://www.binance.com/en/support/faq/what-is-auto-deleveraging-adl-360033525471
//
// Scores change with every price, so they are computed when somebody is needed. Where there are
// more accounts than one command may look at, several commands collect the best ones; until they
// are known the account that is liquidated keeps what nobody has taken, and is tried again.

const scoreUnit = 1_000_000n;
const rankMax = 4;
/** Scores from which a position has rank 1, 2, 3 and 4: in parts of the score unit. */
const rankScores = [0n, 250_000n, 500_000n, 1_000_000n];
/** So many accounts are looked at whole in one command; with more, several share the work. */
const accountsAtOnceMax = 128;
/** Positions that one command looks at for rankings. */
const positionsMax = 1_000;
const accountsMax = 20_000;
/** How many a ranking keeps, how many of them one close-out asks, and for how long it counts. */
const keptMax = 256;
const askedMax = 64;
const ageMaxMs = 5_000;

export type PositionSide = 'long' | 'short';

/** The best of a market's side; of several commands' making. */
export class Ranking {
  /** The account to go on with. */
  nextAccountId = 1;
  /** Null while accounts are still to be looked at. */
  finishedAt: number | null = null;
  readonly best = new BestRanked(keptMax);
}

/** Somebody who may have to give up a position. */
export interface Candidate {
  readonly account: FuturesAccount;
  readonly position: Position;
  readonly score: bigint;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  /** Nobody else stands on the side. */
  readonly isComplete: boolean;
}

/**
 * Who stands on the side, best first, as far as one command may look; null while the ranking is
 * still to be made. The account itself is no candidate.
 */
export function findCandidates(
  state: FuturesState,
  market: FuturesMarketState,
  side: PositionSide,
  except: number,
): Candidates | null {
  const accounts = state.accountsEnd - 1;
  const isAtOnce = accounts <= accountsAtOnceMax;
  const best = isAtOnce ? null : askRanking(state, market, side);
  if (!isAtOnce && best === null) return null;
  const count = best?.count ?? (isAtOnce ? accounts : 0);
  const foundMax = isAtOnce ? accountsAtOnceMax : askedMax;
  const candidates: Candidate[] = [];
  for (let at = 0; at < count && candidates.length < foundMax; at += 1) {
    const accountId = best?.accountIdAt(at) ?? at + 1;
    if (accountId === except) continue;
    const candidate = candidateOf(state, market, side, accountId);
    if (candidate !== null) candidates.push(candidate);
  }
  // All that it knew of are gone: the next attempt needs another one.
  if (best !== null && count > 0 && candidates.length === 0) market.rankings.delete(side);
  candidates.sort(
    (a, b) =>
      Number(b.score > a.score) - Number(b.score < a.score) ||
      a.account.accountId - b.account.accountId,
  );
  return { candidates, isComplete: isAtOnce || count < askedMax };
}

/** Null where it is still to be made. */
function askRanking(
  state: FuturesState,
  market: FuturesMarketState,
  side: PositionSide,
): BestRanked | null {
  const known = market.rankings.get(side);
  const isUsable = known !== undefined && !isOutdated(known, state.now);
  if (!isUsable) market.rankings.set(side, new Ranking());
  if (!isUsable || known.finishedAt === null) {
    state.hasWorkLeft = true;
    return null;
  }
  return known.best;
}

function isOutdated({ finishedAt }: Ranking, now: number): boolean {
  return finishedAt !== null && now - finishedAt > ageMaxMs;
}

/** Goes on with the rankings that liquidations wait for; drops those that nobody asks any more. */
export function continueRankings(state: FuturesState): void {
  let positions = 0;
  for (const market of state.markets) {
    for (const [side, ranking] of market.rankings) {
      const isSettled = market.terms.status === 'delisted' && market.delisting === null;
      if (isSettled || isOutdated(ranking, state.now)) {
        market.rankings.delete(side);
      } else if (ranking.finishedAt === null) {
        if (positions < positionsMax) positions += continueRanking(state, market, side, ranking);
        state.hasWorkLeft = true;
      }
    }
  }
}

function continueRanking(
  state: FuturesState,
  market: FuturesMarketState,
  side: PositionSide,
  ranking: Ranking,
): number {
  const end = Math.min(state.accountsEnd, ranking.nextAccountId + accountsMax);
  let positions = 0;
  while (ranking.nextAccountId < end && positions < positionsMax) {
    const candidate = candidateOf(state, market, side, ranking.nextAccountId);
    ranking.nextAccountId += 1;
    if (candidate === null) continue;
    const { account, score } = candidate;
    positions += account.positions.length;
    ranking.best.add(account.accountId, score);
  }
  if (ranking.nextAccountId >= state.accountsEnd) ranking.finishedAt = state.now;
  return positions;
}

function candidateOf(
  state: FuturesState,
  market: FuturesMarketState,
  side: PositionSide,
  accountId: number,
): Candidate | null {
  const account = state.accounts[accountId];
  const position = account?.positions[market.terms.marketId];
  if (account === undefined || position === undefined) return null;
  if (side === 'long' ? position.quantity <= 0 : position.quantity >= 0) return null;
  return { account, position, score: scoreOf(state, account, market, position) };
}

export function scoreOf(
  state: FuturesState,
  account: FuturesAccount,
  market: FuturesMarketState,
  position: Position,
): bigint {
  const profit = unrealizedProfit(market, position);
  const equity = equityOf(state, account);
  const leverage = { of: notionalOf(market, position), over: equity > 0n ? equity : 1n };
  const entry = position.entryNotional > 0n ? position.entryNotional : 1n;
  if (profit > 0n) return (profit * leverage.of * scoreUnit) / (entry * leverage.over);
  const of = leverage.of > 0n ? leverage.of : 1n;
  return (profit * leverage.over * scoreUnit) / (entry * of);
}

/** 0 to 4: how early a position with the score is taken. */
export function rankOf(score: bigint): number {
  let rank = 0;
  for (const floor of rankScores) if (score > floor) rank += 1;
  return Math.min(rank, rankMax);
}
