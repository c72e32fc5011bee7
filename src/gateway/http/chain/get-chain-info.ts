import { Type } from 'typebox';
import type { ChainInfo } from '../../../application/ports/chain.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { addressText, nullable, strictObject } from '../schema.ts';

export interface ChainInfoPorts {
  /** As far as it is known now. */
  readonly chainInfo: () => ChainInfo;
}

/** Returns the chain and the contracts that the exchange works with. */
export function getChainInfo({ chainInfo }: ChainInfoPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/chain/info',
    tag: 'Chain',
    summary: 'Chain and contracts',
    description:
      'What a wallet needs to submit claims, deposits and withdrawals. Addresses are null ' +
      'until the chain has been reached.',
    weight: 1,
    auth: anyone,
    answer: strictObject({
      chain_id: Type.Integer({ description: 'EIP-155', examples: [31_337] }),
      contracts: strictObject(
        {
          reward_router: nullable(addressText('Pays commission')),
          referral_rebate: nullable(addressText('The public register of the referral program')),
          spot_vault: nullable(addressText('Accepts deposits and pays withdrawals')),
          usdt: nullable(addressText('The token in which commission is paid')),
          df: nullable(addressText('The token DF, if the vault accepts it')),
        },
        { description: 'Their ABIs are in contracts/abi' },
      ),
      rpc_url: nullable(
        Type.String({
          description: 'The node of the development chain; null for any other chain',
          examples: ['http://127.0.0.1:8545'],
        }),
      ),
      explorer_url: nullable(
        Type.String({
          description:
            'A block explorer with pages `/tx/:hash` and `/address/:address` (EIP-3091); null ' +
            'if none is set',
          examples: ['https://explorer.example'],
        }),
      ),
    }),
    handle: () => {
      const { chainId, rpcUrl, explorerUrl, ...contracts } = chainInfo();
      return done({
        chain_id: chainId,
        contracts: {
          reward_router: contracts.rewardRouter,
          referral_rebate: contracts.referralRebate,
          spot_vault: contracts.spotVault,
          usdt: contracts.usdt,
          df: contracts.df,
        },
        rpc_url: rpcUrl,
        explorer_url: explorerUrl,
      });
    },
  });
}
