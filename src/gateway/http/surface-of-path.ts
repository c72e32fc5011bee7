import { binanceSpotSurface } from '../errors/binance-spot-errors.ts';
import { envelopeSurface } from '../errors/envelope-errors.ts';
import { exchangeSurface } from '../errors/exchange-errors.ts';
import { plainSurface, spotSurface } from '../errors/plain-errors.ts';
import type { Surface } from '../errors/surface.ts';

// Which error family applies to which paths; for paths that no endpoint has.

const bySegment: Readonly<Record<string, Surface>> = {
  spot: spotSurface,
  referral: plainSurface,
  admin: plainSurface,
  faucet: plainSurface,
  chain: plainSurface,
};

/** The surface that answers for a path, known or not. */
export function surfaceOfPath(url: string): Surface {
  const [, first, second, third] = (url.split(/[?#]/, 1)[0] ?? '').split('/');
  if (first === 'fapi' || (first === 'futures' && second === 'data')) return exchangeSurface;
  if (first === 'api' && second === 'v3') return binanceSpotSurface;
  if (first !== 'api' || second !== 'v1') return plainSurface;
  const segment = third ?? '';
  return Object.hasOwn(bySegment, segment)
    ? (bySegment[segment] ?? envelopeSurface)
    : envelopeSurface;
}
