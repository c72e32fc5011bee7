import { inFile, type Mutant } from './mutant.ts';

const ledger = [
  ...inFile('ledger/ledger.ts', [
    [
      'a posting that debits a unit less',
      '    amounts[from] = BigInt.asIntN(64, (amounts[from] as bigint) - amount);\n    amounts[to] = BigInt.asIntN(64, (amounts[to] as bigint) + amount);\n    if (this',
      '    amounts[from] = BigInt.asIntN(64, (amounts[from] as bigint) - amount + 1n);\n    amounts[to] = BigInt.asIntN(64, (amounts[to] as bigint) + amount);\n    if (this',
    ],
    [
      'a posting of less than nothing',
      "this.onBroken('posting-positive', `a posting of ${amount}`);",
      '',
    ],
    ['issued money without its sign', '0n - (this.amounts[record', '(this.amounts[record'],
  ]),
  ...inFile('futures/accounts/perp-cells.ts', [
    ['a loss is paid to the loser', 'if (change > 0n) this', 'if (change !== 0n) this'],
    [
      'the fund and the bad debt are one cell',
      'return this.ledger.badDebt(this.tokenId);',
      'return this.ledger.insurance(this.tokenId);',
    ],
    [
      'funding is kept in the clearing cell',
      'return this.clearing(market) + 1;',
      'return this.clearing(market);',
    ],
    [
      'money set aside stays in the wallet',
      'return this.wallet(account) + 1;',
      'return this.wallet(account);',
    ],
  ]),
  ...inFile('futures/accounts/move-funds.ts', [
    ['a transfer takes what spot does not have', 'state.ledger.balance(cell) < amount', 'false'],
    [
      'more leaves the wallet than may',
      'accountMargin(futures, account)) < amount)',
      'accountMargin(futures, account)) < amount / 2n)',
    ],
    [
      'a repeated transfer moves again',
      'if (known !== undefined) {',
      'if (known !== undefined && amount < 0n) {',
    ],
    [
      'a withdrawal ignores the gate',
      "if (isGateShut(futures)) return { reason: 'withdrawals_gated' };",
      '',
    ],
    ['a withdrawal ends twice', 'futures.reservations.delete(command.reference);', ''],
  ]),
  ...inFile('futures/accounts/take-out.ts', [
    ['a transfer back takes money twice', '0n - amount, code', '0n - amount * 2n, code'],
    ['a withdrawal leaves funding unpaid', 'settleAccountFunding(state, account);', ''],
  ]),
  ...inFile('futures/accounts/withdrawal-gate.ts', [
    ['bad debt does not shut the gate', 'if (badDebtOf(state) < 0n) return true;', ''],
    ['a pause does not shut the gate', 'state.now - lastCommandAt > pauseMs', 'false'],
    ['a large loss does not hold money back', 'deficit > gateDeficit', 'false'],
  ]),
  ...inFile('futures/accounts/move-house-funds.ts', [
    ['a top-up does not repay bad debt', 'least(amount, 0n - badDebtOf(futures))', '0n'],
    ['fees are moved that were not taken', 'ledger.feesOf(tokenId) < amount', 'false'],
  ]),
];

const positions = inFile('futures/accounts/apply-fill.ts', [
  [
    'a close frees too much of the entry',
    'isLong ? ceilDivide(product, held)',
    'isLong ? ceilDivide(product, held) + 1n',
  ],
  [
    'the profit of a short has the other sign',
    'isLong ? money - released : released - money',
    'money - released',
  ],
  [
    'a turned position keeps its fees',
    'if (closing > 0) position.fees = ceilDivide',
    'if (closing < 0) position.fees = ceilDivide',
  ],
  [
    'realized profit outlives its position',
    '  if (before === 0) beginAnew(state, position);\n',
    '',
  ],
  [
    'open interest counts both sides',
    'market.openInterest += Math.max(0, position.quantity) - Math.max(0, before);',
    'market.openInterest += Math.abs(position.quantity) - Math.abs(before);',
  ],
  [
    'a fill does not book its funding first',
    '  settleFunding(state, market, account, position);\n',
    '',
  ],
  [
    'a fill closes as many lots as it has',
    'return Math.min(Math.abs(position), Math.abs(signed));',
    'return Math.abs(signed);',
  ],
]);

const margin = [
  ...inFile('futures/margin/stakes.ts', [
    [
      'orders on both sides need margin for one',
      'if (reach[1] > reach[0]) reach[0] = reach[1];',
      '',
    ],
  ]),
  ...inFile('futures/margin/account-margin.ts', [
    [
      'initial margin is rounded down',
      'initialMargin64(notional, int64(leverage))',
      'notional / int64(leverage)',
    ],
    [
      'equity leaves funding out',
      'unrealizedProfit + pendingFundingOf(state, account)',
      'unrealizedProfit',
    ],
    [
      'the default leverage is the highest',
      'Math.min(defaultLeverage, maxLeverage)',
      'maxLeverage',
    ],
  ]),
  ...inFile('futures/margin/new-risk.ts', [
    ['unsure profit carries new risk', 'orders - uncountedIn(state, account);', 'orders;'],
    ['losses may leave', 'if (need.unrealizedProfit < 0n) free += need.unrealizedProfit;', ''],
    [
      'an account that is being closed takes money out',
      ' || state.closeOuts.has(account.accountId)) return 0n',
      ') return 0n',
    ],
    [
      'margin at an old price counts once',
      'if (!isFresh(market, state.now)) free -= need.initial;',
      '',
    ],
  ]),
  ...inFile('futures/margin/fill-check.ts', [
    ['a fill may lose more than there is', 'if (left < 0n) return false;', ''],
    [
      'no fill is refused for its margin',
      'return mayAdd && available + gain - needed >= 0n;',
      'return true;',
    ],
    [
      'fills grow positions at an old price',
      'const mayAdd = isFirst || isFresh(market, state.now);',
      'const mayAdd = true;',
    ],
    [
      'a reducing fill may leave less than needed',
      'return left > maintenance || left * margin.maintenance >= equity * maintenance;',
      'return true;',
    ],
  ]),
];

const order = [
  ...inFile('futures/margin/new-risk.ts', [
    [
      'a loss in a settling market counts at its valuation price alone',
      'return settled < loss ? settled : loss;',
      'return loss;',
    ],
  ]),
  ...inFile('futures/accounts/apply-fill.ts', [
    [
      'a fill books the funding of its own market alone',
      '  settleFundingFirst(state, account);\n',
      '',
    ],
  ]),
  ...inFile('futures/liquidation/liquidate-account.ts', [
    [
      'the exchange pays what a settled position still covers',
      '13: ({ isFlat }) => isFlat,',
      '13: (_account, { maintenance }) => maintenance === 0n,',
    ],
  ]),
  ...inFile('futures/liquidation/watch-slack.ts', [
    [
      'the end of a margin call is not watched',
      'gain: (3n * maintenance - 2n * equity) / 2n',
      'gain: null',
    ],
    [
      'the book stage is watched as if nothing came after it',
      'const enough = equity - (2n * maintenance) / 3n;',
      'const enough = equity;',
    ],
    [
      'an account under a margin call is watched too far away',
      'loss: equity - maintenance, gain',
      'loss: equity, gain',
    ],
  ]),
  ...inFile('futures/orders/place-order.ts', [
    ['an own order in the way ends an attached one', "13: 'expire_maker'", "13: 'expire_taker'"],
  ]),
];

/** Faults in the ledger, in positions, in margins and in the order in which money is counted. */
export const moneyMutants: readonly Mutant[] = [...ledger, ...positions, ...margin, ...order];
