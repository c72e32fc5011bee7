import { Type } from 'typebox';
import { done } from '../../../domain/outcome.ts';
import { envelopeSurface } from '../../errors/envelope-errors.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { decimalText, strictObject } from '../schema.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';

/** What the settings determine about this exchange, as far as it concerns callers. */
export interface SiteFacts {
  readonly isTestnet: boolean;
  readonly isSpotTradingEnabled: boolean;
  readonly chainId: number;
  /** The exchange runs its own chain, and forwards requests to its node. */
  readonly isDevelopmentChain: boolean;
  /** In USDT. */
  readonly minimumClaim: string;
  readonly settleIntervalMs: number;
  /** The minimum withdrawal of each token from the spot wallet. */
  readonly withdrawMinimums: ReadonlyMap<string, string>;
}

export interface SitePorts {
  readonly siteFacts: SiteFacts;
  /** Null while it is unknown. */
  readonly loadPauseSwitch: () => Promise<boolean | null>;
}

/** What a page or a program needs to know about this exchange before anyone signs in. */
function getSite({ siteFacts, loadPauseSwitch }: SitePorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/site',
    tag: 'Operation',
    summary: "Get the exchange's features",
    description:
      'What the settings of this exchange allow: test money, spot trading, claims, withdrawals.',
    weight: 1,
    auth: anyone,
    answer: strictObject({
      is_testnet: Type.Boolean({
        description: 'Whether POST /api/v1/faucet credits test money',
        examples: [true],
      }),
      is_spot_trading_enabled: Type.Boolean({
        description: 'Whether spot orders are accepted',
        examples: [true],
      }),
      chain_id: Type.Integer({ description: 'EIP-155', examples: [31_337] }),
      is_development_chain: Type.Boolean({
        description: 'Whether POST /api/v1/chain/rpc forwards requests to the chain',
        examples: [true],
      }),
      min_claim_usdt: decimalText('The minimum commission that can be claimed, in USDT', '10'),
      settle_interval_ms: Type.Integer({
        description: 'How often commission is settled on chain, in milliseconds',
        examples: [300_000],
      }),
      are_withdrawals_paused: Type.Union([Type.Boolean(), Type.Null()], {
        description: 'Whether withdrawals are paused; null while the database is unreachable',
        examples: [false],
      }),
      withdraw_tokens: Type.Array(
        strictObject({
          token: Type.String({ description: 'The token', examples: ['DF'] }),
          minimum: decimalText('The minimum amount', '1'),
        }),
        { description: 'The tokens that can be withdrawn from the spot wallet' },
      ),
    }),
    handle: async () =>
      done({
        is_testnet: siteFacts.isTestnet,
        is_spot_trading_enabled: siteFacts.isSpotTradingEnabled,
        chain_id: siteFacts.chainId,
        is_development_chain: siteFacts.isDevelopmentChain,
        min_claim_usdt: siteFacts.minimumClaim,
        settle_interval_ms: siteFacts.settleIntervalMs,
        are_withdrawals_paused: await loadPauseSwitch(),
        withdraw_tokens: [...siteFacts.withdrawMinimums].map(([token, minimum]) => ({
          token,
          minimum,
        })),
      }),
  });
}

export function siteRoutes(ports: SitePorts): SurfaceRoutes {
  return { surface: envelopeSurface, endpoints: [getSite(ports)] };
}
