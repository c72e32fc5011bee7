import { Type } from 'typebox';
import { type FeeInfoPorts, loadFeeInfo } from '../../../application/futures/load-fee-info.ts';
import { done } from '../../../domain/outcome.ts';
import { anyoneOrAccount, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { addressText, decimalText, nullable, strictObject, timeText } from '../schema.ts';
import { symbolText as spotSymbolText } from '../spot/spot-schemas.ts';
import { symbolText } from './derivative-schemas.ts';

const tier = (description: string) => Type.Integer({ description, examples: [1] });
const makerRate = decimalText('The maker fee, as a fraction of the notional', '0.0002');
const takerRate = decimalText('The taker fee, as a fraction of the notional', '0.0005');

const accountSchema = strictObject(
  {
    address: addressText('The caller'),
    volume_14d: decimalText('Traded in 14 days, in USDT', '1250000'),
    volume_30d: decimalText('Traded in 30 days, in USDT', '2100000'),
    next_tier: nullable(
      strictObject(
        {
          tier: tier('The tier above'),
          missing_volume: decimalText('Remaining volume to reach it, in USDT', '3750000'),
        },
        { description: 'The volume missing for the next tier; null at the highest' },
      ),
    ),
    pending_downgrade: nullable(
      strictObject(
        {
          tier: tier('The tier after the downgrade'),
          effective_at: timeText('The UTC midnight'),
        },
        { description: 'The scheduled downgrade; null if there is none' },
      ),
    ),
    is_override: Type.Boolean({ description: 'The tier was set by the administration' }),
    discount_stack: strictObject(
      {
        vip_multiplier: decimalText('The discount of the tier', '0.9'),
        referral_discount_bps: Type.Integer({
          description: 'The discount of the referral program',
          examples: [0],
        }),
        referral_multiplier: decimalText('1 minus the referral discount', '1'),
        combined_multiplier: decimalText('The fraction of the base rates that is charged', '0.9'),
      },
      { description: 'The discounts on the base rates' },
    ),
  },
  { description: 'The standing of the caller; null without credentials' },
);

/** The caller's fees for trading derivatives. */
export function getFeeInfo(ports: FeeInfoPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/account/fee-info',
    tag: 'Derivatives account',
    summary: 'Get fees and VIP tiers',
    description:
      'The whole VIP table, with the rates of VIP 0. An authenticated caller gets its own ' +
      'tier and rates instead, and volumes, pending downgrade and discounts in account. The ' +
      'rates are those that are charged, as in /fapi/v1/commissionRate.',
    weight: 5,
    auth: anyoneOrAccount,
    answer: strictObject({
      tiers: Type.Array(
        strictObject({
          tier: tier('0 to 5'),
          name: Type.String({ description: 'VIP and the tier', examples: ['VIP 1'] }),
          min_volume_14d: decimalText('The volume from which it applies', '1000000'),
          discount_multiplier: decimalText('Multiplies the base rates', '0.9'),
          maker_rate: makerRate,
          taker_rate: takerRate,
        }),
        { description: 'The tiers, lowest first' },
      ),
      base_maker_rate: makerRate,
      base_taker_rate: takerRate,
      current_tier: tier('The tier of the caller, VIP 0 if it is unknown'),
      maker_rate: makerRate,
      taker_rate: takerRate,
      markets: Type.Array(
        strictObject({ symbol: symbolText, maker_rate: makerRate, taker_rate: takerRate }),
        { description: 'The rates in each market' },
      ),
      spot_markets: Type.Array(
        strictObject({ symbol: spotSymbolText, maker_rate: makerRate, taker_rate: takerRate }),
        { description: 'The rates of each spot market, the same for every account' },
      ),
      account: nullable(accountSchema),
    }),
    handle: async ({ caller }) => done(await loadFeeInfo(ports, caller?.address ?? null)),
  });
}
