import { parseDecimal } from '../domain/decimal.ts';
import type { DeploymentManifest } from './deployment-manifest.ts';

// The least that can be withdrawn of a token: what the settings and the manifest say, whichever is
// more.

const perpToken = 'USDT';

/** For the tokens of the setting: only these leave the spot wallet. */
export function withdrawMinimumsOf(
  setting: ReadonlyMap<string, string>,
  deployment: DeploymentManifest | null,
): ReadonlyMap<string, string> {
  return new Map([...setting].map(([token, least]) => [token, greater(least, deployment, token)]));
}

/** For the perp wallet, whose token can be withdrawn without being in the setting. */
export function perpWithdrawMinimumOf(
  setting: ReadonlyMap<string, string>,
  deployment: DeploymentManifest | null,
): string {
  return greater(setting.get(perpToken) ?? '0', deployment, perpToken);
}

function greater(least: string, deployment: DeploymentManifest | null, token: string): string {
  const asset = deployment?.assets.find(({ symbol }) => symbol === token);
  const named = asset?.minWithdrawal ?? '0';
  return (parseDecimal(named) ?? 0n) > (parseDecimal(least) ?? 0n) ? named : least;
}
