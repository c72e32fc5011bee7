import type { ByRules } from '../rules.ts';

// Limits of the risk engine that are not terms of a single market.

/** An hour with fewer premium samples, one per second at most, charges no funding. */
export const fundingSamplesLeast = 1_800;

/** The age in milliseconds from which an index price pushed by an administrator is stale. */
export const indexPriceAgeMax = 60_000;
/** The maximum distance of the mark price from the index, in basis points. */
export const markBandBps = 200n;
/** A second push this close to a held one, in basis points, confirms it. */
export const confirmBps = 200n;
/** The minimum and maximum time, in milliseconds, from a held push to its confirmation. */
export const confirmAfterMs = 1_000;
export const confirmWithinMs = 60_000;

/**
 * Accounts in a close-out whose positions are together worth no more than this, in 10^-8 USDT, are
 * closed entirely.
 */
export const finalNotional = 10_000n * 10n ** 8n;
/** The minimum time between two slices in the book stage of a close-out, in milliseconds. */
export const sliceEveryMs = 1_000;
/** The fee on the notional closed by a final stage, in basis points. */
export const liquidationFeeBps = 125n;
/** The maximum number of orders that one command ends for the exchange's own reasons. */
export const endedMax = 256;

/**
 * How long the gate stays shut after a loss that nobody could pay or after a pause, in
 * milliseconds.
 */
export const gateMs = 60_000;
/**
 * The deficit of a close-out beyond its reservation above which the gate stays shut, in 10^-8 USDT.
 */
export const gateDeficit = 1_000n * 10n ** 8n;
/** Two commands further apart than this, in milliseconds, mark a pause of the whole exchange. */
export const pauseMs = 300_000;

/**
 * The insurance fund reserves nothing once it has fallen this far below its highest level, in bps.
 */
export const drawdownBps = 3_000n;
/** The period of that highest level, in milliseconds. */
export const drawdownMs = 8 * 3_600_000;

/**
 * A market is settled at the mean of its index samples: their minimum number, and their period in
 * milliseconds.
 */
export const samplesLeast = 600;
export const samplesWithinMs = 1_800_000;
/** The maximum distance of a given settlement price from the mark price, in basis points. */
export const settlementBandBps = 1_000n;
/**
 * The time before a planned delisting, in milliseconds, in which only reducing orders are accepted.
 */
export const delistingNoticeMs = 1_800_000;

/**
 * F, the maximum that the perp wallets and the cells behind them can hold together, in 10^-8 USDT
 * (11.5 billion USDT).
 *
 * No cell of a wallet or a market gets to 2^62, where it would end. Let V be the value of all
 * longs, at most `openValueMax` and an eighth of it, as the mark can be 2 % from the index that was
 * checked and a settlement price 10 % from the mark. Let C be what all longs, or all shorts, have
 * cost. While C is at `entriesMax` nothing opens but what takes over an open position, which then
 * costs at most 11/10 of its value, as nothing trades further from the valuation price than a
 * tenth. So with F = 2^60 and V = 1.125 x 2^60, C is at most 2^59 + 11/10 V = 1.74 x 2^60, give or
 * take one fill. Where accounts were last judged no equity was negative, and all together were at
 * most F. A wallet is equity plus losses less gains that are not realized: longs have lost and
 * shorts have gained at most C, shorts have lost and longs have gained at most V. So it lies
 * between -(C + V) = -2.9 x 2^60 and F + C + V = 3.9 x 2^60, and a market's clearing cell, the cost
 * of its shorts less that of its longs, within C.
 */
export const perpFundsMax = 1n << 60n;
/** The highest value of the open interest of all markets together, in 10^-8 USDT. */
export const openValueMax: ByRules<bigint> = { 11: 1n << 61n, 12: 1n << 61n, 13: 1n << 60n };
/**
 * What all longs, or all shorts, may have cost before positions are opened, in 10^-8 USDT. Longs
 * that are bought again and again while a price falls can cost many times their value.
 */
export const entriesMax: ByRules<bigint> = { 11: 1n << 63n, 12: 1n << 63n, 13: 1n << 59n };

/**
 * The highest balance to which a transfer can raise a perp wallet, in 10^-8 USDT: with the profits
 * that may be added, it stays within the range of a ledger cell.
 */
export const perpWalletMax = 1n << 60n;
