const same = 'both give the same where the two are equal';

/** Mutants that the Solidity tests do not find, and why. */
export const survivors: Readonly<Record<string, string>> = {
  'LeakyWindow.current: back < used → (back <= used)': same,
  'ReferralRebate._continues: 0 → 1 (2)': 'a code of one byte answers nothing either',
  'RewardRouter.batchSettleRewards: totals[i] > standing → (totals[i] >= standing)': same,
  'RewardRouter.batchSettleRewards: inherited > standing → (inherited >= standing)': same,
  'RewardRouter.batchSettleRewards: totals[i] > countedFrom → (totals[i] >= countedFrom)': same,
  'RewardRouter.batchSettleRewards: if (counted > 0) → if (true)':
    'counting nothing only rounds what is used',
  'RewardRouter.batchSettleRewards: counted > 0 → (counted >= 0)':
    'counting nothing only rounds what is used',
  'RewardRouter.settled: here > paidBefore → (here >= paidBefore)': same,
  'RewardRouter._countSettlement: settlementMax > used → (settlementMax >= used)': same,
  'SpotVault.evacuate: holds < accounted[token] → (holds <= accounted[token])': same,
  'SpotVault.rescueSurplus: holds > accounted[token] → (holds >= accounted[token])': same,
};
