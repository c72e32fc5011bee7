import { ApiError, type HttpClient } from '@openbourse/client';
import { clientOver, withRetries } from '../client/exchange-client.ts';
import type { HttpConnection } from '../client/http-connection.ts';
import { Trader } from '../client/trader.ts';
import { formatScaled } from '../domain/decimal.ts';
import type { TraderNeeds } from './plan-replay.ts';

export interface ReplayMarket {
  readonly symbol: string;
  readonly baseToken: string;
  readonly quoteToken: string;
}

export interface AdminAccess {
  readonly connection: HttpConnection;
  readonly adminKey: string;
}

// Fees are non-zero, so that the final money check covers them.
const makerFeeBps = 2;
const takerFeeBps = 5;
// Overlapping requests may need more at one moment than the plan computes.
const fundingMargin = 2;
const registrationsAtOnce = 4;

/** Creates the first market of the name `<base><quote>-<n>` that is free. */
export async function createReplayMarket(
  admin: AdminAccess,
  baseToken: string,
  quoteToken: string,
): Promise<ReplayMarket> {
  const client = clientOver(admin.connection);
  const { items } = await withRetries(() => client.call('GET /api/v1/spot/markets'));
  const taken = new Set(items.map(({ id }) => id));
  let number = 1;
  while (taken.has(`${baseToken}${quoteToken}-${number}`)) number += 1;
  const symbol = `${baseToken}${quoteToken}-${number}`;
  const market = {
    id: symbol,
    base_token: baseToken,
    quote_token: quoteToken,
    tick_size: '0.01',
    lot_size: '1',
    min_notional: '1',
    maker_fee_bps: makerFeeBps,
    taker_fee_bps: takerFeeBps,
  };
  await administer(admin, (each) => each.call('POST /api/v1/admin/spot/markets', { body: market }));
  return { symbol, baseToken, quoteToken };
}

/** Registers that many traders, a few at a time. */
export async function registerTraders(
  connection: HttpConnection,
  count: number,
  onTrader: () => void,
): Promise<readonly Trader[]> {
  const traders: Trader[] = [];
  while (traders.length < count) {
    const size = Math.min(registrationsAtOnce, count - traders.length);
    const group = Array.from({ length: size }, async () => {
      const trader = await Trader.register(connection, 'replay');
      onTrader();
      return trader;
    });
    traders.push(...(await Promise.all(group)));
  }
  return traders;
}

/** Credits the traders; returns the credited amounts by token, as decimal texts. */
export async function fundTraders(
  admin: AdminAccess,
  market: ReplayMarket,
  funding: readonly { readonly trader: Trader; readonly needs: TraderNeeds }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const given = new Map<string, string[]>([
    [market.baseToken, []],
    [market.quoteToken, []],
  ]);
  for (const { trader, needs } of funding) {
    const amounts = [
      [market.baseToken, formatScaled(BigInt(needs.base * fundingMargin), 0)],
      [market.quoteToken, formatScaled(BigInt(needs.quoteCents * fundingMargin), 2)],
    ] as const;
    for (const [token, amount] of amounts) {
      if (amount === '0') continue;
      const reference = `${market.symbol} ${trader.address} ${token}`;
      const credit = { user_address: trader.address, token, amount, reason: 'replay', reference };
      await administer(admin, (client) =>
        client.call('POST /api/v1/admin/spot/balances/credit', { body: credit }),
      );
      given.get(token)?.push(amount);
    }
  }
  return given;
}

/** Calls with the administrator's key; errors that the owner of the key can fix say how. */
async function administer(
  { connection, adminKey }: AdminAccess,
  call: (client: HttpClient) => Promise<unknown>,
): Promise<void> {
  const client = clientOver(connection, { adminKey: () => adminKey });
  try {
    await withRetries(() => call(client));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const advice = adviceFor.get(error.code);
    if (advice === undefined) throw error;
    throw new Error(`${error.status} ${error.message}: ${advice}`, { cause: error });
  }
}

const adviceFor = new Map([
  ['ADMIN_NOT_CONFIGURED', 'start the server with ADMIN_API_KEY'],
  ['UNAUTHORIZED', "pass the server's ADMIN_API_KEY as --admin-key"],
  ['DISABLED', 'start the server with TESTNET_ONLY=true'],
]);
