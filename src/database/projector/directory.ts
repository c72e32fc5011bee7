import type pg from 'pg';
import type { AppliedCommand } from '../../application/ports.ts';
import { assert } from '../../domain/assert.ts';
import type { AccountId, Address, MarketId, TokenId } from '../../domain/identifiers.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import { selectSpotMarkets } from '../spot-market-rows.ts';

// Outcomes carry ids; rows carry names. Tokens and markets are few and all kept; of the accounts
// those last used, the others are looked up once a batch.

const accountsKeptMax = 200_000;

export class Directory {
  readonly #tokens = new Map<TokenId, string>();
  readonly #markets = new Map<MarketId, SpotMarket>();
  readonly #addresses = new Map<AccountId, Address>();

  static async load(client: pg.ClientBase): Promise<Directory> {
    const directory = new Directory();
    const tokens = await client.query<{ token_id: number; symbol: string }>(
      'SELECT token_id, symbol FROM tokens',
    );
    for (const row of tokens.rows) directory.#tokens.set(row.token_id as TokenId, row.symbol);
    for (const market of await selectSpotMarkets(client)) {
      directory.#markets.set(market.marketId, market);
    }
    return directory;
  }

  /** Takes up what the batch opens and creates, and loads the addresses that it mentions. */
  async prepare(batch: readonly AppliedCommand[], client: pg.ClientBase): Promise<void> {
    if (this.#addresses.size > accountsKeptMax) this.#addresses.clear();
    const missing = new Set<AccountId>();
    for (const { events } of batch) {
      for (const event of events) {
        if (event.type === 'accountOpened') {
          this.#addresses.set(event.accountId, event.address);
          missing.delete(event.accountId);
        } else if (event.type === 'tokenAdded') {
          this.#tokens.set(event.tokenId, event.symbol);
        } else if (event.type === 'spotMarketCreated') {
          this.#markets.set(event.market.marketId, event.market);
        } else if (event.type === 'balanceChanged' && !this.#addresses.has(event.accountId)) {
          missing.add(event.accountId);
        } else if (event.type === 'balanceCredited' && !this.#addresses.has(event.accountId)) {
          missing.add(event.accountId);
        }
      }
    }
    if (missing.size > 0) await this.#loadAddresses([...missing], client);
  }

  getAddress(accountId: AccountId): Address {
    const address = this.#addresses.get(accountId);
    assert(address !== undefined, `account ${accountId} was never opened`);
    return address;
  }

  getTokenSymbol(tokenId: TokenId): string {
    const symbol = this.#tokens.get(tokenId);
    assert(symbol !== undefined, `token ${tokenId} was never added`);
    return symbol;
  }

  getMarket(marketId: MarketId): SpotMarket {
    const market = this.#markets.get(marketId);
    assert(market !== undefined, `market ${marketId} was never created`);
    return market;
  }

  async #loadAddresses(accountIds: readonly AccountId[], client: pg.ClientBase): Promise<void> {
    const result = await client.query<{ account_id: string; address: string }>(
      'SELECT account_id, address FROM accounts WHERE account_id = ANY ($1::bigint[])',
      [accountIds],
    );
    for (const row of result.rows) {
      this.#addresses.set(Number(row.account_id) as AccountId, row.address as Address);
    }
  }
}
