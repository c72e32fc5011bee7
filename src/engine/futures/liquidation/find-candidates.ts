import type { ByRules } from '../../rules.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { Position } from '../accounts/stored-positions.ts';
import type { FuturesState } from '../futures-state.ts';
import { equityOf, notionalOf, unrealizedProfit } from '../margin/account-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { canGiveUp } from './auto-deleverage.ts';
import type { BestRanked } from './best-ranked.ts';
import type { Candidate } from './candidate.ts';
import { type PositionSide, Ranking } from './ranking.ts';

// The most profitable and most leveraged positions are deleveraged first. The score is profit /
// entry x notional / equity; a position at a loss is ranked by profit / entry / (notional /
// equity).
// https://www.binance.com/en/support/faq/what-is-auto-deleveraging-adl-360033525471
//
// Scores change with every price, so they are computed on demand. If there are more accounts than
// one command may examine, several commands collect the best ones. Until the ranking is complete,
// the liquidated account keeps what has not been closed, and is tried again.

const scoreUnit = 1_000_000n;
const rankMax = 4;
/** The scores, in parts of the score unit, above which a position has rank 1, 2, 3 and 4. */
const rankScores = [0n, 250_000n, 500_000n, 1_000_000n];
/** Up to this many accounts are examined in one command; more are spread over several commands. */
const accountsAtOnceMax = 128;
/** The maximum number of positions that one command examines for rankings. */
const positionsMax = 1_000;
const accountsMax = 20_000;
/** How many accounts of a ranking one close-out uses, and how long the ranking is valid. */
const askedMax = 64;
/** How many of those kept one close-out examines for accounts that can take its lots. */
const examinedMax = 128;
const ageMaxMs = 5_000;

/** What `findCandidates` found, best first. */
export interface Candidates {
  readonly candidates: readonly Candidate[];
  /** Whether no other account has a position on the side. */
  readonly isComplete: boolean;
}

/** Of accounts that are being closed themselves: they can take nothing at a bankruptcy price. */
const lastScore = -(1n << 63n);
/** The bound of scores that are ranked; what is lower by `unableBelow` is below all of them. */
const scoreBound = 1n << 61n;
const unableBelow = 2n * scoreBound + 1n;

/** Whether accounts that cannot take lots leave their turn to others. */
const isPassedOn: ByRules<boolean> = { 11: false, 12: false, 13: true };

/** What a close-out asks of the other side. */
export interface CandidateSearch {
  /** The account that is left out. */
  readonly except: number;
  /** Where the lots are to change hands. */
  readonly price: number;
  readonly canTake: (each: Candidate) => boolean;
}

/**
 * Returns the accounts with a position on the side, best first, up to what one command may examine;
 * null while the ranking is still being built. If any of those examined can take lots, only these
 * are returned, so that however many others are ranked before them, the close-out's loss is not
 * left to the exchange. If none can, others may: the ranking is built again, with all that can take
 * lots at this price before those that cannot, until it begins with one that cannot.
 */
export function findCandidates(
  state: FuturesState,
  market: FuturesMarketState,
  side: PositionSide,
  { except, price, canTake }: CandidateSearch,
): Candidates | null {
  const accounts = state.accountsEnd - 1;
  const isAtOnce = accounts <= accountsAtOnceMax;
  const best = isAtOnce ? null : askRanking(state, market, side, price);
  if (!isAtOnce && best === null) return null;
  const count = best?.count ?? (isAtOnce ? accounts : 0);
  const foundMax = isAtOnce ? accountsAtOnceMax : askedMax;
  const isChoosy = !isAtOnce && isPassedOn[state.rules];
  const all: Candidate[] = [];
  const able: Candidate[] = [];
  for (let at = 0; at < count && all.length < (isChoosy ? examinedMax : foundMax); at += 1) {
    const accountId = best?.accountIdAt(at) ?? at + 1;
    if (accountId === except) continue;
    const candidate = candidateOf(state, market, side, accountId);
    if (candidate === null) continue;
    all.push(candidate);
    if (!isChoosy) continue;
    if (canTake(candidate)) able.push(candidate);
    if (able.length === foundMax) break;
  }
  if (isChoosy && all.length > 0 && able.length === 0 && !areAllUnable(market, side, price)) {
    market.rankings.set(side, new Ranking(price));
    return null;
  }
  const candidates = able.length > 0 ? able : all.slice(0, foundMax);
  // All its accounts have closed their positions: the next attempt needs a new ranking.
  if (best !== null && count > 0 && candidates.length === 0) market.rankings.delete(side);
  candidates.sort(
    (a, b) =>
      Number(b.score > a.score) - Number(b.score < a.score) ||
      a.account.accountId - b.account.accountId,
  );
  return { candidates, isComplete: isAtOnce || count < askedMax };
}

/**
 * Whether nobody could take a lot at the price, or at a better one, when the ranking was built: two
 * close-outs at different prices then do not take each other's ranking away endlessly.
 */
function areAllUnable(market: FuturesMarketState, side: PositionSide, price: number): boolean {
  const { price: judgedAt, best } = market.rankings.get(side) ?? { price: null, best: null };
  if (judgedAt === null || best === null || best.scoreAt(0) >= -scoreBound) return false;
  return side === 'long' ? judgedAt >= price : judgedAt <= price;
}

/** Null if it is still being built. */
function askRanking(
  state: FuturesState,
  market: FuturesMarketState,
  side: PositionSide,
  price: number,
): BestRanked | null {
  const known = market.rankings.get(side);
  const isUsable = known !== undefined && !isOutdated(known, state.now);
  if (!isUsable) market.rankings.set(side, new Ranking(isPassedOn[state.rules] ? price : null));
  return isUsable && known.finishedAt !== null ? known.best : null;
}

function isOutdated({ finishedAt }: Ranking, now: number): boolean {
  return finishedAt !== null && now - finishedAt > ageMaxMs;
}

/**
 * Continues the rankings that liquidations wait for, and drops outdated ones.
 *
 * @returns whether there was none to continue.
 */
export function continueRankings(state: FuturesState): boolean {
  let isDone = true;
  let positions = 0;
  for (const market of state.markets) {
    for (const [side, ranking] of market.rankings) {
      const isSettled = market.terms.status === 'delisted' && market.delisting === null;
      if (isSettled || isOutdated(ranking, state.now)) {
        market.rankings.delete(side);
      } else if (ranking.finishedAt === null) {
        if (positions < positionsMax) positions += continueRanking(state, market, side, ranking);
        isDone = false;
      }
    }
  }
  return isDone;
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
    const isJudged = isPassedOn[state.rules];
    const ranked = isJudged ? judgedScore(state, market, candidate, ranking.price) : score;
    ranking.best.add(account.accountId, ranked);
  }
  if (ranking.nextAccountId >= state.accountsEnd) ranking.finishedAt = state.now;
  return positions;
}

/** Those that can take nothing come after all that can, and those that are being closed last. */
function judgedScore(
  state: FuturesState,
  market: FuturesMarketState,
  candidate: Candidate,
  price: number | null,
): bigint {
  const { account, score } = candidate;
  if (state.closeOuts.has(account.accountId)) return lastScore;
  const within = score > scoreBound ? scoreBound : score < -scoreBound ? -scoreBound : score;
  const isAble = price === null || canGiveUp(state, market, candidate, price);
  return isAble ? within : within - unableBelow;
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

/**
 * Profit over entry times leverage, in 10^-9: a profit counts more with a higher leverage, a loss
 * less.
 */
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

/** From 0 to 4; positions with a higher rank are deleveraged earlier. */
export function rankOf(score: bigint): number {
  let rank = 0;
  for (const floor of rankScores) if (score > floor) rank += 1;
  return Math.min(rank, rankMax);
}
