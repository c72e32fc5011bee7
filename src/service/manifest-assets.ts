import type { RegisteredAsset } from '../chain/signing/check-chain.ts';
import type { Config } from '../config/config.ts';
import { type DeploymentManifest, loadManifest } from '../config/deployment-manifest.ts';
import type { Address } from '../domain/identifiers.ts';
import type { Logger } from '../observability/log.ts';

/**
 * Returns a function that reads the manifest's assets again: registering one needs no restart,
 * since its deposits may wait already. Undefined without a manifest.
 */
export function assetsReader({ chain: { deployment, deploymentPath } }: Config, log: Logger) {
  const first = assetsOf(deployment);
  if (first === null || deploymentPath === null) return undefined;
  let known = first;
  let isReadable = true;
  return (): readonly RegisteredAsset[] => {
    const parsed = loadManifest(deploymentPath);
    if ('manifest' in parsed) known = withNewAssets(known, assetsOf(parsed.manifest) ?? []);
    else if (isReadable) {
      log.error(
        { problems: parsed.problems },
        'the manifest cannot be read: the known assets are kept',
      );
    }
    isReadable = 'manifest' in parsed;
    return known;
  };
}

// What an asset is called and how it counts never changes while the service runs.
function withNewAssets(
  known: readonly RegisteredAsset[],
  present: readonly RegisteredAsset[],
): readonly RegisteredAsset[] {
  const isKnown = ({ address, symbol }: RegisteredAsset) =>
    known.some((each) => each.address === address || each.symbol === symbol);
  // The minimum, the limits and the terms of review of withdrawals are read at the start only.
  const added = present
    .filter((asset) => !isKnown(asset))
    .map((asset) => ({ ...asset, isAddedLater: true as const }));
  return added.length === 0 ? known : [...known, ...added];
}

/** The manifest's assets at the start; null without one. */
export function assetsOf(deployment: DeploymentManifest | null): readonly RegisteredAsset[] | null {
  if (deployment === null) return null;
  return deployment.assets.map(({ symbol, address, decimals, onChainSymbol, ...asset }) => ({
    symbol,
    decimals,
    onChainSymbol,
    // The manifest's schema allows only addresses.
    address: address as Address,
    areDepositsOn: asset.deposits,
    areWithdrawalsOn: asset.withdrawals,
  }));
}
