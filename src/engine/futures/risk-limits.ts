// The limits of the risk engine that are no terms of a single market.

/** An index price that an administrator pushes is stale after so many milliseconds. */
export const indexPriceAgeMax = 60_000;
/** The mark price never lies further from the index than so many ten-thousandths of it. */
export const markBandBps = 200n;
/** A second push so close to one that is held, in ten-thousandths, confirms it. */
export const confirmBps = 200n;
/** A confirmation comes no sooner and no later than so many milliseconds after the held push. */
export const confirmAfterMs = 1_000;
export const confirmWithinMs = 60_000;

export const bpsPerWhole = 10_000n;

/** Positions of an account that together are worth no more, in USDT, are closed whole. */
export const finalNotional = 10_000n * 10n ** 8n;
/** The book stage of a close-out sells a slice at most once in so many milliseconds. */
export const sliceEveryMs = 1_000;
/** Of the notional that a final stage has closed, in ten-thousandths. */
export const liquidationFeeBps = 125n;
/** Orders that one command ends for the exchange's own reasons. */
export const endedMax = 256;

/** How long nothing leaves the perp wallets after a loss that nobody could pay, or a pause. */
export const gateMs = 60_000;
/** A deficit of a close-out past its reservation, in money, from which the gate stays shut on. */
export const gateDeficit = 1_000n * 10n ** 8n;
/** Commands that are further apart than this end a pause of the whole exchange. */
export const pauseMs = 300_000;

/** The insurance fund reserves nothing once it has lost so much of its highest level, in bps. */
export const drawdownBps = 3_000n;
/** How far back that highest level is looked for. */
export const drawdownMs = 8 * 3_600_000;

/** A market is settled at the mean of at least so many samples of its index, of so long. */
export const samplesLeast = 600;
export const samplesWithinMs = 1_800_000;
/** A settlement price that is given lies at most so many ten-thousandths from the mark price. */
export const settlementBandBps = 1_000n;
/** So long before a planned delisting only orders that reduce are taken. */
export const delistingNoticeMs = 1_800_000;

/**
 * A transfer leaves no perp wallet with more, in USDT of 10^-8: with the profits that may come on
 * top it stays within what a cell of the ledger can hold.
 */
export const perpWalletMax = 1n << 60n;
