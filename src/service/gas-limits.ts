import { parseUnits } from 'viem';
import { type GasLimits } from '../chain/chain-components.ts';
import { type Config } from '../config/config.ts';

/** The manifest's caps on the cost of transactions; null without them. */
export function gasLimitsOf({ chain: { deployment } }: Config): GasLimits | null {
  const caps = deployment?.feeCaps;
  if (caps === undefined) return null;
  return {
    feePerGasMax: parseUnits(caps.maxFeePerGasGwei, 9),
    perTransaction: parseUnits(caps.perTransaction, 18),
    perDay: parseUnits(caps.perDay, 18),
  };
}
