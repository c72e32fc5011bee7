import type { Part } from '../row.ts';

// The contracts on chain.

const router = (name: string) => `forge > RewardRouter: ${name}`;
const register = (name: string) => `forge > ReferralRebate: ${name}`;
const vault = (name: string) => `forge > SpotVault: ${name}`;

export const solidityParts: readonly Part[] = [
  {
    id: 'solidity',
    title: 'Contracts',
    rows: [
      [
        'settle-operator',
        'batchSettleRewards by the operator only',
        router('test_onlySettlerSettles'),
      ],
      ['settle-total', 'Totals never go down', router('testFuzz_totalNeverFalls')],
      [
        'settle-twice',
        'A batch sent twice changes nothing',
        router('testFuzz_batchSentTwiceChanges'),
      ],
      ['redeem', 'redeemReward pays USDT to the caller', router('testFuzz_redemptionPaysExactly')],
      [
        'redeem-deadline',
        'needs a fresh deadline',
        router('test_redemptionOnTheLastSecond'),
        router('test_expiredSignatureIsRefused'),
      ],
      [
        'redeem-nonce',
        "the caller's current nonce",
        router('test_signatureForTheNextNonceIsRefused'),
        router('test_signatureWorksOnce'),
      ],
      [
        'redeem-signature',
        "the operator's signature",
        router('test_strangersSignatureIsRefused'),
        router('test_replacedOperatorSignsNothing'),
        router('test_signatureWorksForOneAccount'),
      ],
      [
        'redeem-settled',
        'and amount <= settled - redeemed',
        router('testFuzz_amountAboveSettledIsRefused'),
        'forge > RewardRouter.invariant: invariant_claimedAndHeldNeverPassSettled',
      ],
      [
        'redeem-event',
        'emits RewardRedeemed(account, amount, nonce)',
        "artifacts > artifacts: the service's ABI of RewardRouter is correct",
        router('testFuzz_redemptionPaysExactly'),
      ],
      [
        'register',
        'ReferralRebate is written by the operator',
        register('test_onlyOperatorWrites'),
      ],
      ['register-code', 'A code never changes hands', register('test_codeNeverChangesHands')],
      ['register-claimed', 'Claimed totals', register('test_claimedTotalComesFromTheRouter')],
      [
        'register-tiers',
        'Tiers with total rebate and discount share',
        register('test_tierDecidesUntilAnOverrideDoes'),
      ],
      [
        'register-parts',
        'trader_discount_bps + affiliate_reward_bps = total_rebate_bps always',
        register('testFuzz_partsAddUpToTheWhole'),
      ],
      [
        'deposit',
        'Deposits emit an event that credits the spot balance',
        vault('test_depositCreditsWhatArrives'),
        'spot-deposits > deposits: pending once confirmed, then credited with what 8 decimals hold',
      ],
      [
        'release',
        'release pays a signed withdrawal once',
        vault('testFuzz_releasePaysExactlyOnce'),
      ],
      ['release-nonce', 'nonces strictly in turn', vault('testFuzz_nonceOutOfTurnIsRefused')],
      [
        'tokens',
        'TestUSDT (6 decimals) and TestDF (18)',
        "artifacts > artifacts: the service's ABI of TestUSDT is correct",
        "artifacts > artifacts: the service's ABI of TestDF is correct",
      ],
      [
        'reentrant',
        'nonReentrant',
        router('test_reentrantRedemptionIsRefused'),
        vault('test_reentrantReleaseIsRefused'),
        vault('test_depositWithinDepositIsRefused'),
      ],
      [
        'pausable',
        'pausable',
        router('test_pauseStopsMoney'),
        vault('test_pauseStopsMoney'),
        register('test_pauseStopsWrites'),
      ],
      [
        'proof',
        'At start a signature above the settled amount is proven to be refused',
        'prove-cap > proveCap: the contract refuses a fresh signature above what is settled',
      ],
      [
        'proof-off',
        'otherwise signing stays off',
        'prove-cap > proveCap: a contract that would pay keeps signing off',
        'signing > rewardSigner: with signing off nothing is signed',
      ],
      [
        'failed',
        'A settlement is failed only once its nonce is provably spent or replaced',
        'settlement-runner > settlement: a batch that is not mined in time is cancelled, and',
        'settlement-runner > settlement: an attempt that is mined after all has not failed',
      ],
      [
        'info',
        'GET /api/v1/chain/info: chain_id, contracts, rpc_url',
        'referral-on-chain > info: chain, contracts, and the node of a development chain',
      ],
      [
        'abi',
        'ABIs stand in contracts/abi',
        'artifacts > artifacts: RewardRouter equals what its source compiles to',
        'artifacts > artifacts: ReferralRebate equals what its source compiles to',
        'artifacts > artifacts: SpotVault equals what its source compiles to',
      ],
    ],
  },
];
