import { setTimeout as pause } from 'node:timers/promises';
import type { Hex } from 'viem';
import { fieldOf, listOf, textOf } from '../../client/api-client.ts';
import { clientOver, withRetries } from '../../client/exchange-client.ts';
import { HttpConnection } from '../../client/http-connection.ts';
import { type Decimal, formatDecimal } from '../../domain/decimal.ts';
import { formatMicroUsdt, type MicroUsdt, toMicroUsdt } from '../../domain/micro-usdt.ts';
import { expectedBalances } from './expected-balances.ts';
import { decimalOf, expectedCommission } from './expected-commission.ts';
import { Member } from './member.ts';
import { type RewardBooks, RewardChain, type SignedAmount } from './reward-chain.ts';

// The whole life of a commission: earned by trades, settled on chain, claimed, redeemed by the
// referrer's own wallet, and seen by the exchange. Every amount is recomputed here and compared on
// both sides, so the story fails if a single unit of 10^-6 USDT is off.

export interface DemoClaimOptions {
  readonly url: string;
  /** Called with each step. */
  readonly print: (line: string) => void;
  /** Called while something takes long. */
  readonly printWait?: (line: string) => void;
  /** How long a settlement, and then the listener, can take. */
  readonly timeoutMs?: number;
  readonly pollMs?: number;
}

export interface DemoClaimReport {
  readonly referrer: string;
  readonly commission: MicroUsdt;
  readonly claimNo: string;
  readonly transactionHash: string;
}

const symbol = 'BTCUSDT';
const starterRate = '0.1';
const faucetAmounts: Readonly<Record<string, string>> = { seller: '10', buyer: '100000' };
// Odd on purpose, like the quantities, so that every rounding occurs.
const usualPrice = '64123.45';
/** Enough for a claim, which requires 10 USDT by default. */
const commissionMin = 11_000_000n;
const defaultTimeoutMs = 6 * 60_000;
const defaultPollMs = 500;
// Anything longer is reported.
const silenceMs = 1_000;

/** @throws Error describing the first difference */
export async function runDemoClaim(options: DemoClaimOptions): Promise<DemoClaimReport> {
  const connection = new HttpConnection(options.url, 4);
  try {
    return await new DemoClaim(options, connection).play();
  } finally {
    connection.close();
  }
}

class DemoClaim {
  readonly #options: DemoClaimOptions;
  readonly #connection: HttpConnection;
  #stepCount = 0;

  constructor(options: DemoClaimOptions, connection: HttpConnection) {
    this.#options = options;
    this.#connection = connection;
  }

  async play(): Promise<DemoClaimReport> {
    const chain = await this.#findChain();
    const { referrer, ...traders } = await this.#gather();
    const before = await chain.loadBooks(referrer.wallet.address);
    const commission = await this.#trade(referrer, traders);
    await this.#awaitSettlement(chain, referrer, commission);
    const order = await this.#claim(chain, referrer, commission);
    const hash = await this.#redeem(chain, referrer, { order, before });
    await this.#awaitSuccess(referrer, { order, hash });
    await this.#checkEnd(referrer, commission);
    return {
      referrer: referrer.address,
      commission,
      claimNo: order.claimNo,
      transactionHash: hash,
    };
  }

  async #findChain(): Promise<RewardChain> {
    await this.#waitFor('a server that is ready (see /readyz)', async () => {
      const { status } = await this.#connection.send({ method: 'GET', target: '/readyz' });
      return status === 200 ? status : null;
    });
    const info = await this.#public('/api/v1/chain/info');
    const chain = new RewardChain(info);
    const operator = await this.#public('/api/v1/referral/on-chain/operator-status');
    expectEqual('the service is the operator', fieldOf(operator, 'is_operator'), true);
    this.#tell(`chain ${String(fieldOf(info, 'chain_id'))}, reward router ${chain.router}`);
    return chain;
  }

  async #gather(): Promise<Traders & { readonly referrer: Member }> {
    const [referrer, seller, buyer] = [
      await Member.join(this.#connection, 'referrer'),
      await Member.join(this.#connection, 'seller'),
      await Member.join(this.#connection, 'buyer'),
    ];
    for (const { name, address } of [referrer, seller, buyer]) {
      this.#tell(`the ${name} signs in as ${address}`);
    }
    const code = textOf(await referrer.post('/referral/codes'), 'code');
    this.#tell(`the referrer creates the code ${code}`);
    for (const trader of [seller, buyer]) {
      const bound = await trader.post('/referral/bind', { code });
      expectEqual('the binding', textOf(bound, 'referrer'), referrer.address);
      this.#tell(`the ${trader.name} binds to the referrer`);
    }
    await seller.post('/faucet', { token: 'BTC', amount: faucetAmounts['seller'] });
    await buyer.post('/faucet', { token: 'USDT', amount: faucetAmounts['buyer'] });
    this.#tell('the faucet gives the seller 10 BTC and the buyer 100000 USDT');
    return { referrer, seller, buyer };
  }

  async #trade(referrer: Member, { seller, buyer }: Traders): Promise<MicroUsdt> {
    const rounds = [
      { maker: seller, taker: buyer, quantity: '1.45557' },
      { maker: buyer, taker: seller, quantity: '1.40013' },
      { maker: seller, taker: buyer, quantity: '1.35571' },
    ];
    let commission = toMicroUsdt(0n);
    for (const round of rounds) {
      await this.#sell(round);
      commission = await this.#countCommission([seller, buyer]);
      if (commission >= commissionMin) break;
    }
    await this.#checkBalances(seller);
    await this.#checkBalances(buyer);
    await this.#checkEarned(referrer, commission);
    return commission;
  }

  // Other orders may be in the way, so the maker's price is between them, and the trade is read
  // instead of assumed.
  async #sell({ maker, taker, quantity }: Round): Promise<void> {
    const order = { symbol, type: 'limit', price: await this.#findPrice(), quantity };
    await maker.post('/spot/orders', { ...order, side: 'sell' });
    const taken = await taker.post('/spot/orders', { ...order, side: 'buy', tif: 'ioc' });
    await maker.delete(`/spot/orders?symbol=${symbol}`);
    const [bought, paid] = [
      textOf(taken, 'filled_quantity'),
      textOf(taken, 'filled_quote_quantity'),
    ];
    this.#tell(`the ${taker.name} buys ${bought} BTC of the ${maker.name} for ${paid} USDT`);
  }

  async #findPrice(): Promise<string> {
    const depth = await this.#public(`/api/v1/spot/depth?symbol=${symbol}&limit=1`);
    const [bestAsk] = listOf(depth, 'asks');
    if (!Array.isArray(bestAsk)) return usualPrice;
    const below = decimalOf(String(bestAsk[0])) - decimalOf('0.01');
    return formatDecimal(below as Decimal);
  }

  async #countCommission(traders: readonly Member[]): Promise<MicroUsdt> {
    let sum = 0n;
    for (const trader of traders) {
      const earned = expectedCommission(await this.#tradesOf(trader), starterRate);
      this.#tell(
        `the ${trader.name}'s fees earn ${formatMicroUsdt(earned)} USDT at ${starterRate}`,
      );
      sum += earned;
    }
    return toMicroUsdt(sum);
  }

  #tradesOf(trader: Member): Promise<unknown> {
    return trader.get(`/spot/trades?symbol=${symbol}&limit=500`);
  }

  async #checkBalances(trader: Member): Promise<void> {
    const drawn = {
      [trader.name === 'seller' ? 'BTC' : 'USDT']: faucetAmounts[trader.name] ?? '0',
    };
    const trades = await this.#tradesOf(trader);
    const expected = expectedBalances(drawn, trades, { base: 'BTC', quote: 'USDT' });
    const balances = listOf(await trader.get('/spot/balances'), 'items');
    for (const [token, amount] of expected) {
      const balance = balances.find((each) => textOf(each, 'token') === token);
      const what = `the ${trader.name}'s ${token}`;
      expectEqual(what, balance === undefined ? '0' : textOf(balance, 'available'), amount);
    }
  }

  async #checkEarned(referrer: Member, commission: MicroUsdt): Promise<void> {
    const dashboard = await referrer.get('/referral/dashboard');
    const text = formatMicroUsdt(commission);
    expectEqual('the dashboard', textOf(dashboard, 'total_commission'), text);
    const preview = await referrer.get('/referral/claims/preview');
    const known = microsOf(textOf(preview, 'pending')) + microsOf(textOf(preview, 'claimable'));
    expectEqual('pending and claimable', known, commission);
    this.#tell(`the referrer sees ${text} USDT of commission`);
  }

  async #awaitSettlement(chain: RewardChain, referrer: Member, total: MicroUsdt): Promise<void> {
    this.#tell(
      'waiting for the settlement on chain (every SETTLE_INTERVAL_MS, by default 5 minutes)',
    );
    const preview = await this.#waitFor('the settlement', async () => {
      const found = await referrer.get('/referral/claims/preview');
      return textOf(found, 'pending') === '0' ? found : null;
    });
    expectEqual('claimable', textOf(preview, 'claimable'), formatMicroUsdt(total));
    expectEqual('the wallet that is paid', textOf(preview, 'claim_wallet'), referrer.address);
    const { settled } = await chain.loadBooks(referrer.wallet.address);
    expectEqual('settled on chain', settled, total);
    this.#tell(`the contract shows ${formatMicroUsdt(total)} USDT as settled for the referrer`);
  }

  async #claim(chain: RewardChain, referrer: Member, total: MicroUsdt): Promise<ClaimOrder> {
    const answer = await referrer.post('/referral/claim');
    expectEqual('the amount of the order', textOf(answer, 'amount'), String(total));
    expectEqual('the contract', textOf(answer, 'contract_address'), chain.router);
    expectEqual('the nonce', fieldOf(answer, 'nonce'), 0);
    const claimNo = textOf(answer, 'claim_no');
    this.#tell(
      `the referrer claims: order ${claimNo} over ${textOf(answer, 'amount')} x 10^-6 USDT`,
    );
    const again = await referrer.refusalOf('/referral/claim');
    expectEqual('a second claim', again, 'CLAIM_ALREADY_PROCESSING');
    this.#tell('a second claim meanwhile is refused: CLAIM_ALREADY_PROCESSING');
    return {
      claimNo,
      amount: BigInt(textOf(answer, 'amount')),
      deadline: BigInt(Number(fieldOf(answer, 'deadline'))),
      signature: textOf(answer, 'signature') as Hex,
    };
  }

  async #redeem(
    chain: RewardChain,
    { wallet }: Member,
    { order, before }: { readonly order: ClaimOrder; readonly before: RewardBooks },
  ): Promise<Hex> {
    await chain.giveGas(wallet.address);
    const unpaid = await chain.loadBooks(wallet.address);
    const hash = await chain.redeem(wallet, order);
    const after = await chain.loadBooks(wallet.address);
    expectEqual('the wallet grew by', after.wallet - before.wallet, order.amount);
    expectEqual('the router shrank by', unpaid.router - after.router, order.amount);
    expectEqual('claimed on chain', after.claimed - before.claimed, order.amount);
    expectEqual('the nonce rose by', after.nonce - before.nonce, 1n);
    this.#tell(`the referrer's wallet calls redeemReward: ${hash}`);
    this.#tell(
      `the contract pays ${formatMicroUsdt(toMicroUsdt(order.amount))} USDT to the wallet`,
    );
    return hash;
  }

  async #awaitSuccess(
    referrer: Member,
    { order, hash }: { readonly order: ClaimOrder; readonly hash: Hex },
  ): Promise<void> {
    this.#tell('waiting for the listener (every CLAIM_POLL_INTERVAL_MS, by default 30 seconds)');
    const claim = await this.#waitFor('the end of the order', async () => {
      const list = await referrer.get('/referral/claims');
      const found = listOf(list, 'items').find(
        (each) => textOf(each, 'claim_no') === order.claimNo,
      );
      return found !== undefined && textOf(found, 'status') !== 'processing' ? found : null;
    });
    expectEqual('the order', textOf(claim, 'status'), 'success');
    expectEqual('its transaction', textOf(claim, 'tx_hash'), hash);
    const amount = formatMicroUsdt(toMicroUsdt(order.amount));
    expectEqual('its amount', textOf(claim, 'amount'), amount);
    this.#tell(`the exchange saw the redemption: ${order.claimNo} is a success`);
  }

  async #checkEnd(referrer: Member, total: MicroUsdt): Promise<void> {
    const text = formatMicroUsdt(total);
    const preview = await referrer.get('/referral/claims/preview');
    expectEqual('claimable at the end', textOf(preview, 'claimable'), '0');
    expectEqual('pending at the end', textOf(preview, 'pending'), '0');
    const dashboard = await referrer.get('/referral/dashboard');
    expectEqual('claimed in the dashboard', textOf(dashboard, 'claimed_commission'), text);
    const onChain = await this.#waitFor('the on-chain query', async () => {
      const path = `/api/v1/referral/on-chain/claimed/${referrer.wallet.address}`;
      const answer = await this.#public(path);
      return textOf(answer, 'claimed_usd') === text ? answer : null;
    });
    expectEqual('the query names', textOf(onChain, 'address'), referrer.address);
    const last = await referrer.refusalOf('/referral/claim');
    expectEqual('a claim of nothing', last, 'NO_CLAIMABLE');
    this.#tell(`both sides agree: ${text} USDT earned, settled, claimed and paid; nothing is left`);
  }

  async #public(path: string): Promise<unknown> {
    const client = clientOver(this.#connection);
    return (await withRetries(() => client.send(`GET ${path}`))).json();
  }

  async #waitFor<T>(what: string, find: () => Promise<T | null>): Promise<T> {
    const { timeoutMs = defaultTimeoutMs, pollMs = defaultPollMs } = this.#options;
    const begun = performance.now();
    let isWaitTold = false;
    for (;;) {
      const found = await find();
      if (found !== null) return found;
      const elapsedMs = performance.now() - begun;
      if (elapsedMs > timeoutMs) {
        throw new Error(`${what} did not come within ${timeoutMs / 1000} seconds`);
      }
      if (!isWaitTold && elapsedMs > silenceMs) {
        this.#options.printWait?.(`    waiting for ${what}`);
        isWaitTold = true;
      }
      await pause(pollMs);
    }
  }

  #tell(line: string): void {
    this.#stepCount += 1;
    this.#options.print(`${String(this.#stepCount).padStart(2)}. ${line}`);
  }
}

interface Traders {
  readonly seller: Member;
  readonly buyer: Member;
}

interface Round {
  readonly maker: Member;
  readonly taker: Member;
  readonly quantity: string;
}

interface ClaimOrder extends SignedAmount {
  readonly claimNo: string;
}

function microsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (actual === expected) return;
  throw new Error(`${what}: ${String(actual)} instead of ${String(expected)}`);
}
