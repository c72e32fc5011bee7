/**
 * What a referred trader saves of the fee after its VIP discount, in basis points; the referral
 * contract's register holds it as each tier's discount share. It is zero, because the program gives
 * its whole share of a fee to referrers. A changed value reaches the fees of already referred
 * accounts with the next review of the tiers.
 */
export const traderDiscountBps = 0;
