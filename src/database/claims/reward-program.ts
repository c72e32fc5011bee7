import { assert } from '../../domain/assert.ts';
import type { EventProgram } from '../chain/event-program.ts';
import { recordSettlement, revertSettlements } from '../chain/router-books.ts';
import { countRedemption, uncountRedemptions } from './count-redemptions.ts';
import { countSettlement, uncountSettlements } from './count-settlements.ts';
import { expireClaimOf, listOverdueClaims } from './overdue-claims.ts';

/** Applies the reward router's settlements and redemptions to commission and claims. */
export const rewardProgram: EventProgram = {
  contract: 'rewardRouter',
  eventTypes: ['rewardSettled', 'rewardRedeemed'],
  record: async (transaction, event, { block }) => {
    if (event.type === 'rewardSettled') await recordSettlement(transaction, event, block);
    return [event];
  },
  apply: async (transaction, event, { block, time }) => {
    if (event.type === 'rewardSettled') {
      await countSettlement(transaction, event, block);
      return null;
    }
    assert(event.type === 'rewardRedeemed', 'the router has settlements and redemptions');
    return countRedemption(transaction, event, { block, time });
  },
  listOverdue: listOverdueClaims,
  expire: expireClaimOf,
  rollBack: async (transaction, block) => {
    await uncountRedemptions(transaction, block);
    await uncountSettlements(transaction, block);
    await revertSettlements(transaction, block);
  },
};
