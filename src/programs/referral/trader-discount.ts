/**
 * What a referred trader saves of the fee that its VIP tier leaves, in basis points; it stands in
 * the referral contract's register as each tier's discount share. The whole share of a fee that
 * the program gives goes to referrers, so there is none. Another value reaches the fees of those
 * who are referred already with the next review of the tiers.
 */
export const traderDiscountBps = 0;
