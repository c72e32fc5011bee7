import { Type } from 'typebox';
import { loadClaimedAmount } from '../../../application/referral/load-claimed-amount.ts';
import { loadOperatorStatus } from '../../../application/referral/load-operator-status.ts';
import { loadTraderReferral } from '../../../application/referral/load-trader-referral.ts';
import {
  loadUserRebate,
  type OnChainPorts,
} from '../../../application/referral/load-user-rebate.ts';
import { type Address, parseAddress } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import { claimErrors } from '../../errors/claim-errors.ts';
import { type Answer, anyone, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { addressText, decimalText, exampleAddress, strictObject } from '../schema.ts';
import { count, referralTag } from './referral-schemas.ts';

// These are open to everyone. The node's answers are cached for a few seconds, and only a few
// queries run at a time, so that callers cannot overload the node.

const onChainWeight = 5;

// A malformed address is this endpoint's own error, so the schema accepts any text.
const addressParams = strictObject({
  address: Type.String({
    maxLength: 200,
    description: 'An address: 0x and 40 hex digits, in any letter case',
    examples: [exampleAddress],
  }),
});

const codeText = Type.String({
  description: 'Empty if there is none',
  examples: ['SATOSHI_21'],
});
const referrerText = addressText('The zero address if there is none');
const bps = (description: string, example: number) => count(`${description}, 1 = 0.01 %`, example);

async function forAddress<T>(
  text: string,
  load: (address: Address) => Promise<T>,
): Promise<Answer<T>> {
  const address = parseAddress(text);
  return address === null ? namedError(claimErrors.invalidAddress) : done(await load(address));
}

const shared = {
  method: 'GET',
  tag: referralTag,
  weight: onChainWeight,
  auth: anyone,
  errorRows: { chain_failed: claimErrors.chainError },
} as const;

const sharedByAddress = {
  ...shared,
  namedRows: [claimErrors.invalidAddress],
  params: addressParams,
};

/** What the contracts show of a user. */
export function getUserRebate(ports: OnChainPorts): Endpoint {
  return defineEndpoint({
    ...sharedByAddress,
    path: '/api/v1/referral/on-chain/user-rebate/:address',
    summary: "A user's rebate on chain",
    description: 'As stored in the referral contracts, a few seconds old at most.',
    answer: strictObject({
      address: addressText('The user'),
      claimed_usd: decimalText('The total redeemed, in USDT'),
      nonce: count('The nonce of the next redemption', 1),
      referral_code: codeText,
      referrer: referrerText,
      tier_level: count('0 Starter to 4 Diamond', 0),
      tier_name: Type.String({ description: "The tier's name", examples: ['Starter'] }),
    }),
    handle: ({ params }) => forAddress(params.address, (each) => loadUserRebate(ports, each)),
  });
}

/** How the rebate on a trader's fees is split. */
export function getTraderReferral(ports: OnChainPorts): Endpoint {
  return defineEndpoint({
    ...sharedByAddress,
    path: '/api/v1/referral/on-chain/referral-info/:address',
    summary: "A trader's referral on chain",
    description: 'The discount and the reward add up to the total.',
    answer: strictObject({
      address: addressText('The trader'),
      code: codeText,
      referrer: referrerText,
      total_rebate_bps: bps('The share of fees that is given back', 1000),
      trader_discount_bps: bps("The trader's share of it", 0),
      affiliate_reward_bps: bps("The referrer's share of it", 1000),
    }),
    handle: ({ params }) => forAddress(params.address, (each) => loadTraderReferral(ports, each)),
  });
}

/** The amount that a user redeemed. */
export function getClaimedAmount(ports: OnChainPorts): Endpoint {
  return defineEndpoint({
    ...sharedByAddress,
    path: '/api/v1/referral/on-chain/claimed/:address',
    summary: 'Claimed amount on chain',
    description: 'The total that the address has ever redeemed.',
    answer: strictObject({
      address: addressText('The user'),
      claimed_usd: decimalText('In USDT'),
    }),
    handle: ({ params }) => forAddress(params.address, (each) => loadClaimedAmount(ports, each)),
  });
}

/** Whether the contracts accept the service's signatures. */
export function getOperatorStatus(ports: OnChainPorts): Endpoint {
  return defineEndpoint({
    ...shared,
    path: '/api/v1/referral/on-chain/operator-status',
    summary: 'Operator status on chain',
    description: 'If is_operator is false, settlements and claim signatures fail.',
    answer: strictObject({
      operator_address: addressText("The service's signing address"),
      is_operator: Type.Boolean({
        description: 'Whether the contracts accept its signatures',
        examples: [true],
      }),
      contract_address: addressText('The referral rebate contract'),
    }),
    handle: async () => done(await loadOperatorStatus(ports)),
  });
}
