import type { Migration } from 'kysely';
import { up as createSpotExchange } from './0001-spot-exchange.ts';
import { up as createReferral } from './0002-referral.ts';
import { up as createChain } from './0003-chain.ts';
import { up as createFutures } from './0004-futures.ts';
import { up as createWallet } from './0005-wallet.ts';
import { up as createMarketMakers } from './0006-market-makers.ts';
import { up as createPoints } from './0007-points.ts';
import { up as createSeveralProcesses } from './0008-several-processes.ts';
import { up as addPriceMatch } from './0009-price-match.ts';
import { up as addOffBookTrades } from './0010-off-book-trades.ts';
import { up as setUsualOrderTerms } from './0011-usual-order-terms.ts';
import { up as addSpotRecords } from './0012-spot-records.ts';
import { up as addChainHalts } from './0013-chain-halts.ts';
import { up as addContracts } from './0014-contracts.ts';
import { up as addRefusals } from './0015-refused-transactions.ts';
import { up as addVoidTransactions } from './0016-void-transactions.ts';
import { up as addVaultQueue } from './0017-vault-queue.ts';
import { up as addRegisterShown } from './0018-register-shown.ts';
import { up as addTradeIds } from './0019-trade-ids.ts';
import { up as addAccountEvents } from './0020-account-events.ts';
import { up as addDownloads } from './0021-downloads.ts';
import { up as addWithdrawalReviews } from './0022-withdrawal-reviews.ts';
import { up as addMarketStatistics } from './0023-market-statistics.ts';
import { up as addGapTransactions } from './0024-gap-transactions.ts';
import { up as addWithdrawalEvents } from './0025-withdrawal-events.ts';
import { up as addIgnoredEvents } from './0026-ignored-events.ts';
import { up as addModifyIds } from './0027-modify-ids.ts';
import { up as capPointsByFees } from './0028-points-fee-cap.ts';
import { up as indexWalletPositions } from './0029-wallet-positions.ts';
import { up as addEarnedDays } from './0030-earned-days.ts';
import { up as addCloseOuts } from './0031-close-outs.ts';
import { up as addEndedSessions } from './0032-ended-sessions.ts';
import { up as allowBrokenBalances } from './0033-broken-balances.ts';
import { up as addEventEnds } from './0034-event-ends.ts';
import { up as addSignerHeads } from './0035-signer-heads.ts';
import { up as addWalletPauses } from './0036-wallet-pauses.ts';
import { up as addExchangeEpoch } from './0037-exchange-epoch.ts';
import { up as addRouterSettlements } from './0038-router-settlements.ts';
import { up as publishGivenBack } from './0039-given-back.ts';
import { up as addHaltedRoles } from './0040-halted-roles.ts';
import { up as addContractPauses } from './0041-contract-pauses.ts';
import { up as addBackfills } from './0042-backfills.ts';
import { up as addCloseOutLots } from './0043-close-out-lots.ts';
import { up as indexLateReservations } from './0044-late-reservations.ts';
import { up as addKeyUses } from './0045-key-uses.ts';
import { up as indexWaitingWithdrawals } from './0046-waiting-withdrawals.ts';
import { up as guardSettledWithdrawals } from './0047-settled-withdrawals.ts';
import { up as addMemberStamps } from './0048-member-stamps.ts';
import { up as indexFundingTimes } from './0049-funding-times.ts';
import { up as indexTriggerOrders } from './0050-trigger-orders.ts';

/** Every migration by name, in the order in which they run; a name never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-spot-exchange': { up: createSpotExchange },
  '0002-referral': { up: createReferral },
  '0003-chain': { up: createChain },
  '0004-futures': { up: createFutures },
  '0005-wallet': { up: createWallet },
  '0006-market-makers': { up: createMarketMakers },
  '0007-points': { up: createPoints },
  '0008-several-processes': { up: createSeveralProcesses },
  '0009-price-match': { up: addPriceMatch },
  '0010-off-book-trades': { up: addOffBookTrades },
  '0011-usual-order-terms': { up: setUsualOrderTerms },
  '0012-spot-records': { up: addSpotRecords },
  '0013-chain-halts': { up: addChainHalts },
  '0014-contracts': { up: addContracts },
  '0015-refused-transactions': { up: addRefusals },
  '0016-void-transactions': { up: addVoidTransactions },
  '0017-vault-queue': { up: addVaultQueue },
  '0018-register-shown': { up: addRegisterShown },
  '0019-trade-ids': { up: addTradeIds },
  '0020-account-events': { up: addAccountEvents },
  '0021-downloads': { up: addDownloads },
  '0022-withdrawal-reviews': { up: addWithdrawalReviews },
  '0023-market-statistics': { up: addMarketStatistics },
  '0024-gap-transactions': { up: addGapTransactions },
  '0025-withdrawal-events': { up: addWithdrawalEvents },
  '0026-ignored-events': { up: addIgnoredEvents },
  '0027-modify-ids': { up: addModifyIds },
  '0028-points-fee-cap': { up: capPointsByFees },
  '0029-wallet-positions': { up: indexWalletPositions },
  '0030-earned-days': { up: addEarnedDays },
  '0031-close-outs': { up: addCloseOuts },
  '0032-ended-sessions': { up: addEndedSessions },
  '0033-broken-balances': { up: allowBrokenBalances },
  '0034-event-ends': { up: addEventEnds },
  '0035-signer-heads': { up: addSignerHeads },
  '0036-wallet-pauses': { up: addWalletPauses },
  '0037-exchange-epoch': { up: addExchangeEpoch },
  '0038-router-settlements': { up: addRouterSettlements },
  '0039-given-back': { up: publishGivenBack },
  '0040-halted-roles': { up: addHaltedRoles },
  '0041-contract-pauses': { up: addContractPauses },
  '0042-backfills': { up: addBackfills },
  '0043-close-out-lots': { up: addCloseOutLots },
  '0044-late-reservations': { up: indexLateReservations },
  '0045-key-uses': { up: addKeyUses },
  '0046-waiting-withdrawals': { up: indexWaitingWithdrawals },
  '0047-settled-withdrawals': { up: guardSettledWithdrawals },
  '0048-member-stamps': { up: addMemberStamps },
  '0049-funding-times': { up: indexFundingTimes },
  '0050-trigger-orders': { up: indexTriggerOrders },
};
