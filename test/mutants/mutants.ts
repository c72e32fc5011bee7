import { moneyMutants } from './money-mutants.ts';
import { inFile, type Mutant } from './mutant.ts';

const pieces = [
  ...inFile('spot/cancel-spot-orders.ts', [
    ['a cancel-all ends whatever there is', 'let left = canceledMax;', 'let left = 1_000_000;'],
  ]),
  ...inFile('spot/administer-spot-market.ts', [
    [
      'a spot delisting ends whatever there is',
      'cancelMarketOrders(state, market, canceledMax)',
      'cancelMarketOrders(state, market, 1_000_000)',
    ],
    [
      'time ends no order of a delisted market',
      "if (market.terms.status !== 'delisted' || isEmpty(market)) continue;",
      'continue;',
    ],
  ]),
  ...inFile('futures/accounts/futures-account.ts', [
    [
      'fees are those without a discount by identity',
      'isIdle && isUndiscounted(fees)',
      'isIdle && fees === undiscounted',
    ],
  ]),
  ...inFile('futures/pricing/settling.ts', [
    [
      'a close-out holds no market up',
      'return isUnjudged || closeOutCount > 0;',
      'return isUnjudged;',
    ],
    [
      'a market settles at no move',
      'return isUnjudged || closeOutCount > 0;',
      'return closeOutCount > 0;',
    ],
  ]),
  ...inFile('futures/liquidation/count-settling.ts', [
    [
      'a market forgets no close-out',
      'state.getMarket(marketId).closeOutCount -= 1;',
      'state.getMarket(marketId).closeOutCount -= 0;',
    ],
  ]),
];

const prices = [
  ...inFile('futures/pricing/price-state.ts', [
    [
      'an index never grows old',
      "if (now - market.indexPriceAt > indexPriceAgeMax) return 'stale';",
      '',
    ],
    ['a held price counts as fresh', "market.heldPush === null ? 'fresh' : 'held'", "'fresh'"],
  ]),
  ...inFile('futures/pricing/mark-price.ts', [
    [
      'the mark follows the last trade alone',
      'const mark = median(indexPrice - band, next, indexPrice + band);',
      'const mark = last;',
    ],
    [
      'trades make a gap between mark and index',
      'carried === null ? aim : median(carried - step, aim, carried + step)',
      'aim',
    ],
    [
      'a stale mark goes on moving',
      "const isFrozen = priceState === 'stale' || priceState === 'held';",
      'const isFrozen = false;',
    ],
  ]),
  ...inFile('futures/pricing/set-index-price.ts', [
    [
      'one slip of a finger is believed',
      'if (isTaken(market, price, state.now)) {',
      'if (price > 0n) {',
    ],
    ['a price is confirmed at once', 'if (heldMs < confirmAfterMs) return false;', ''],
  ]),
];

const openInterest = [
  ...inFile('futures/margin/open-interest-margin.ts', [
    ['margin does not rise with open interest', 'if (beyond <= 0n) return 0n;', 'return 0n;'],
  ]),
  ...inFile('futures/accounts/apply-fill.ts', [
    [
      'what open interest asks does not stay with the position',
      '    position.fullNotional += fullNotionalOf(state, market, { added: opening, reached, price });\n',
      '',
    ],
  ]),
  ...inFile('futures/margin/fill-check.ts', [
    [
      'a maker carries high open interest at the rate of its leverage',
      'mayAdd && !isRaised && available >= fee',
      'mayAdd && available >= fee',
    ],
  ]),
];

const funding = [
  ...inFile('futures/funding/pay-funding.ts', [
    [
      'an hour is paid twice',
      'market.nextFundingTime = nextFullHour(state.now);',
      'market.nextFundingTime = state.now;',
    ],
    ['a delisted market has hours', "if (market.terms.status === 'delisted') return;", ''],
    ['an hour keeps the samples of the one before', 'market.premiumCount = 0;', ''],
    [
      'the sweep passes one account over',
      'sweep.nextAccountId = end;',
      'sweep.nextAccountId = end + 1;',
    ],
  ]),
  ...inFile('futures/funding/pending-funding.ts', [
    ['payers are rounded down', 'floorDivide(exact, fundingPerUnit)', 'exact / fundingPerUnit'],
    [
      'shorts pay what longs pay',
      'const exact = -BigInt(position.quantity)',
      'const exact = -BigInt(Math.abs(position.quantity))',
    ],
  ]),
  ...inFile('futures/funding/settle-funding.ts', [
    ['funding is booked again and again', '  position.fundingIndex = market.fundingIndex;\n', ''],
  ]),
  ...inFile('futures/funding/funding-rate.ts', [
    [
      'an hour charges on a single sample',
      '  if (market.premiumCount < samplesNeeded[state.rules]) return 0n as Rate;\n',
      '',
    ],
    ['the rate has no limit', 'return clamp(rate, capEachWay) as Rate;', 'return rate as Rate;'],
    ['an hour pays for eight', '/ hoursPerPeriod', ''],
  ]),
];

const liquidation = [
  ...inFile('futures/liquidation/close-out-stage.ts', [
    [
      'an account is closed below its margin only',
      'equity <= maintenance)',
      'equity < maintenance)',
    ],
    [
      'a close-out ends at the maintenance margin',
      '4n * equity >= 5n * maintenance',
      'equity >= maintenance',
    ],
    [
      'the final stage begins at once',
      '3n * equity <= 2n * maintenance',
      '3n * equity <= 3n * maintenance',
    ],
    [
      'nobody below zero is closed finally',
      'if (equity < 0n) return true;',
      'if (equity < 0n) return false;',
    ],
  ]),
  ...inFile('futures/liquidation/liquidate-account.ts', [
    ['a finished close-out keeps its reservation', '  releaseReservation(state, closeOut);\n', ''],
    [
      'nobody makes a wallet whole',
      'if (hasNothingLeft && account.walletBalance < 0n) payByHouse(state, account, closeOut.number);',
      '',
    ],
    [
      'the fee takes what the rest needs',
      'least(fee, payable));\n  reportStep',
      'fee);\n  reportStep',
    ],
  ]),
  ...inFile('futures/liquidation/bankruptcy-price.ts', [
    [
      'the bankruptcy price leaves the equity out',
      '.valueAt(markPrice, lots) - equity',
      '.valueAt(markPrice, lots)',
    ],
    [
      'the bankruptcy price of a short is rounded up',
      ': floorDivide(market.costAt(markPrice, lots) + equity, perTick);',
      ': floorDivide(market.costAt(markPrice, lots) + equity, perTick) + 1n;',
    ],
  ]),
  ...inFile('futures/liquidation/insurance.ts', [
    [
      'the fund pays out more than it promised',
      'const paid = least(loss, reservationOf(state, closeOut));',
      'const paid = loss;',
    ],
    ['one close-out may have the whole fund', 'const caseShare = 4n;', 'const caseShare = 1n;'],
    ['a promise is not counted', '  state.insuranceHeld += reserved;\n', ''],
    [
      'a drained fund goes on promising',
      'if (total * bpsPerWhole < high * (bpsPerWhole - drawdownBps)) return;',
      '',
    ],
    [
      'the fund is filled while debt stands',
      '  if (repaid > 0n) {\n    state.postToWallet',
      '  if (repaid < 0n) {\n    state.postToWallet',
    ],
  ]),
  ...inFile('futures/liquidation/sell-slice.ts', [
    [
      'a slice is always the whole',
      'return Math.max(fewest, Math.ceil(lots / leastPart));',
      'return lots;',
    ],
    [
      'a slice costs no fee',
      'payIntoFund(state, account, closeOut, fee < equity ? fee : equity);',
      '',
    ],
    [
      'slices follow one another at once',
      'closeOut.sliceAt = state.now + sliceEveryMs;',
      'closeOut.sliceAt = state.now;',
    ],
  ]),
  ...inFile('futures/liquidation/share-equity.ts', [
    ['losses of all markets are paid alike', 'return lost > 0n ? lost : 0n;', 'return 0n;'],
  ]),
];

const deleveraging = [
  ...inFile('futures/liquidation/final-stage.ts', [
    [
      'the fund pays at any depth of the book',
      'const isWithin = isSell ? best >= last && best > 0 : best <= last;',
      'const isWithin = best > 0;',
    ],
    [
      'the price of deleveraging forgets the promise',
      'const relief = Number(held / perTick);',
      'const relief = 0;',
    ],
    [
      'winners are closed at the bankruptcy price of the solvent',
      'Math.max(value, bankruptcy - relief)',
      'bankruptcy - relief',
    ],
    ['the book is taken as far as it goes', 'Math.max(price, market.ticksAbove(mark - band))', '1'],
  ]),
  ...inFile('futures/liquidation/auto-deleverage.ts', [
    [
      'deleveraging takes more than was left',
      'const quantity = Math.min(leftOf(order), lotsOf(candidate));',
      'const quantity = lotsOf(candidate);',
    ],
    [
      'nobody is spared a loss',
      'return quantity > 0 ? money < entryNotional : money > entryNotional;',
      'return false;',
    ],
    ['deleveraging leaves others without margin', 'if (isSafe(all)) return all;', 'return all;'],
  ]),
  ...inFile('futures/liquidation/find-candidates.ts', [
    [
      'the poorest winner goes first',
      'Number(b.score > a.score) - Number(b.score < a.score)',
      'Number(b.score < a.score) - Number(b.score > a.score)',
    ],
    ['losers count as winners', 'if (profit > 0n) return', 'if (profit !== 0n) return'],
  ]),
];

const delisting = [
  ...inFile('futures/markets/administer-market.ts', [
    [
      'terms may keep as much as they ask',
      'return 3n * maintenance <= 2n * rateOne && ',
      'return ',
    ],
    [
      'a delisted market is listed again',
      "return status === 'delisted' ? null : { reason: 'market_status_final' };",
      'if (status === market.terms.status) return null;',
    ],
  ]),
  ...inFile('futures/markets/continue-delistings.ts', [
    [
      'a market is settled before its accounts are judged',
      'return state.riskQueue.scansEnded >= scan && market.closeOutCount === 0;',
      'return scan > 0;',
    ],
  ]),
];

const triggers = [
  ...inFile('futures/triggers/is-reached.ts', [
    [
      'a stop fires a tick early',
      'ticksBelow >= order.stopPrice',
      'ticksBelow + 1 >= order.stopPrice',
    ],
    ['take-profits are stops', "return isStop === (side === 'buy');", "return side === 'buy';"],
  ]),
  ...inFile('futures/triggers/fire-triggers.ts', [
    [
      'triggers fire at an old price',
      'const isReady = isFresh(market, state.now) && ',
      'const isReady = ',
    ],
    [
      'a stop closes more than its parent has filled',
      'order.quantity = order.coveredQuantity;',
      '',
    ],
    ['a stop fires when its position is over', 'if (!decideChild(state, order)) return;', ''],
    [
      'a stop outlives the take-profit that has fired',
      "decideChild(state, sibling, 'sibling_fired');",
      '',
    ],
    [
      'price protection protects nothing',
      'if (order.isPriceProtected && isTornApart(market)) {',
      'if (order.isPriceProtected && state.now < 0) {',
    ],
  ]),
  ...inFile('futures/triggers/triggers.ts', [
    [
      'of two that rise the later price fires first',
      '(first.stopPrice ?? 0) - (second.stopPrice ?? 0)',
      '(second.stopPrice ?? 0) - (first.stopPrice ?? 0)',
    ],
  ]),
  ...inFile('futures/orders/follow-position.ts', [
    [
      'reduce-only orders do not shrink',
      'if (left <= lots) return;',
      'if (left <= lots || lots > 0) return;',
    ],
  ]),
  ...inFile('futures/orders/end-order.ts', [
    ['a left-over stop stays', "else endOrder(state, child, expiredBy('position_closed'));", ''],
  ]),
  ...inFile('futures/orders/attached-by-position.ts', [
    [
      'a stop fires before its parent has traded',
      'return child.positionNumber !== null;',
      'return true;',
    ],
    [
      'a stop protects whatever position there is',
      'return position.number === child.positionNumber;',
      'return child.positionNumber !== null;',
    ],
    [
      'a stop covers what its parent filled in positions that are over',
      'const before = isSame ? child.coveredQuantity : 0;',
      'const before = child.coveredQuantity;',
    ],
    ['a parent that reduces arms its stop', 'if (held <= 0) return;', ''],
    [
      'a stop goes on watching when its position is over',
      'child.positionNumber = null;',
      'child.positionNumber = child.positionNumber;',
    ],
  ]),
  ...inFile('futures/accounts/apply-fill.ts', [
    [
      'a position keeps its number',
      'position.number += numberStep[rules];',
      'position.number += numberStep[rules] - numberStep[rules];',
    ],
  ]),
];

const trades = inFile('futures/orders/futures-settlement.ts', [
  ['makers pay what takers pay', 'market, isMaker))', 'market, false))'],
  ['a close-out pays trading fees', 'const fee = isForced ? 0n : feeOf', 'const fee = feeOf'],
  [
    'a resting order keeps its margin as it trades',
    'if (maker.isResting) removeExposure(state, maker, quantity);',
    '',
  ],
  ['forced trades move the last price', 'if (!isOffBook) {', 'if (price > 0) {'],
]);

export const mutants: readonly Mutant[] = [
  ...pieces,
  ...moneyMutants,
  ...prices,
  ...openInterest,
  ...funding,
  ...liquidation,
  ...deleveraging,
  ...delisting,
  ...triggers,
  ...trades,
];
