/**
 * Why money moves. The codes appear in audits and can be stored by consumers of the ledger: new
 * ones are appended, and none is reused for another reason.
 */
export const postingCodes = {
  credit: 1,
  deposit: 2,
  orderLock: 3,
  orderRelease: 4,
  spotTrade: 5,
  spotFee: 6,
  transferToPerp: 7,
  transferToSpot: 8,
  withdrawalSetAside: 9,
  withdrawalReleased: 10,
  withdrawalPaid: 11,
  withdrawalReopened: 12,
  realizedProfit: 13,
  futuresFee: 14,
  funding: 15,
  liquidationFee: 16,
  insurancePayment: 17,
  unpaidLoss: 18,
  insuranceReserved: 19,
  insuranceReturned: 20,
  debtRepaid: 21,
  roundingRest: 22,
  houseFunds: 23,
} as const;

/** A reason for which money moves. */
export type PostingCode = (typeof postingCodes)[keyof typeof postingCodes];

/** Called with every posting: from one cell to the other, with a positive amount. */
export type PostingListener = (from: number, to: number, amount: bigint, code: PostingCode) => void;
