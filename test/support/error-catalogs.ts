import { binanceAccessErrors } from '../../src/gateway/errors/binance-access-errors.ts';
import { binanceSpotErrors } from '../../src/gateway/errors/binance-spot-errors.ts';
import { chainAdminErrors } from '../../src/gateway/errors/chain-errors.ts';
import { claimErrors } from '../../src/gateway/errors/claim-errors.ts';
import { accountErrors } from '../../src/gateway/errors/envelope-errors.ts';
import type { ErrorCatalog } from '../../src/gateway/errors/error-row.ts';
import { authenticationErrors, exchangeErrors } from '../../src/gateway/errors/exchange-errors.ts';
import { futuresErrors } from '../../src/gateway/errors/futures-errors.ts';
import { perpWalletErrors } from '../../src/gateway/errors/perp-wallet-errors.ts';
import { adminErrors, plainErrors, spotErrors } from '../../src/gateway/errors/plain-errors.ts';
import { pointsErrors } from '../../src/gateway/errors/points-errors.ts';
import { referralAdminErrors, referralErrors } from '../../src/gateway/errors/referral-errors.ts';
import { socketErrors } from '../../src/gateway/errors/socket-errors.ts';
import { walletErrors } from '../../src/gateway/errors/wallet-errors.ts';

/** The catalogs by the name of their table in docs/api.md. */
export const errorCatalogs: Readonly<Record<string, ErrorCatalog>> = {
  plain: plainErrors,
  admin: adminErrors,
  spot: spotErrors,
  referral: referralErrors,
  referral_admin: referralAdminErrors,
  chain_admin: chainAdminErrors,
  claims: claimErrors,
  wallet: walletErrors,
  perp_wallet: perpWalletErrors,
  points: pointsErrors,
  account: accountErrors,
  futures: futuresErrors,
  exchange: exchangeErrors,
  authentication: authenticationErrors,
  binance_spot: binanceSpotErrors,
  binance_access: binanceAccessErrors,
  order_entry: socketErrors,
};
