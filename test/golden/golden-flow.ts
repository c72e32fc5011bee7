import fc from 'fast-check';
import { toAmount } from '../../src/domain/amount.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import type {
  AccountId,
  Address,
  MarketId,
  Sequence,
  TimestampMs,
} from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import type { Command } from '../../src/engine/commands.ts';
import { type Engine, engineFactory } from '../../src/engine/engine.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import {
  accountsUsed,
  type FuturesAction,
  futuresAction,
} from '../simulation/futures/futures-actions.ts';
import { simulatedMarkets } from '../simulation/futures/futures-simulation.ts';
import { resolveFuturesAction } from '../simulation/futures/resolve-futures-action.ts';

const seed = 2_026;
const unit = 100_000_000n;

/** Repeatable commands of both sides of the exchange, each made from the state that it meets. */
export class GoldenFlow {
  readonly engine: Engine = engineFactory.create();
  private readonly actions: FuturesAction[];
  private now = 1_750_003_180_000;
  private random = seed;

  constructor(actionCount: number) {
    this.actions = fc.sample(futuresAction, { seed, numRuns: actionCount });
  }

  /** Accounts with money of both kinds, a spot market and two perpetuals. */
  begin(): AppliedCommand[] {
    const accounts = Array.from({ length: accountsUsed }, (_, account) => account);
    const terms = {
      symbol: 'BTCUSDT',
      baseToken: 'BTC',
      quoteToken: 'USDT',
      tickSize: (10n ** 16n) as Decimal,
      lotSize: (10n ** 15n) as Decimal,
      minNotional: toAmount(1n),
      makerFeeBps: 10,
      takerFeeBps: 20,
    };
    const commands: Command[] = [
      { type: 'createSpotMarket', terms },
      ...accounts.flatMap((account) => [credit(account, 'USDT'), credit(account, 'BTC')]),
      ...simulatedMarkets.map((each) => ({ type: 'createFuturesMarket', terms: each }) as const),
      ...accounts.map(
        (account): Command => ({
          type: 'transferFunds',
          accountId: (account + 1) as AccountId,
          direction: 'spot_to_perp',
          amount: toAmount(200n * unit),
          clientTransferId: null,
        }),
      ),
    ];
    return commands.map((command) => this.apply(command));
  }

  /** So many further commands. @throws Error once the actions are used up. */
  run(count: number): AppliedCommand[] {
    const outcomes: AppliedCommand[] = [];
    while (outcomes.length < count) {
      let command: Command | null = this.spotOrder();
      if (this.draw(5) !== 0) {
        const action = this.actions.shift();
        if (action === undefined) throw new Error('the actions are used up');
        if (action.kind === 'restore') continue;
        if (action.kind === 'wait') this.now += action.ms;
        command = resolveFuturesAction(action, this.engine.futures, this.now);
      }
      if (command !== null) outcomes.push(this.apply(command));
    }
    return outcomes;
  }

  private apply(command: Command): AppliedCommand {
    const { sequence } = this.engine;
    this.now += sequence % 3;
    const timestamp = this.now as TimestampMs;
    return this.engine.apply(command, { sequence: (sequence + 1) as Sequence, timestamp });
  }

  private draw(below: number): number {
    this.random = (this.random * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(this.random / 65_536) % below;
  }

  private spotOrder(): Command {
    return {
      type: 'placeSpotOrder',
      accountId: (1 + this.draw(accountsUsed)) as AccountId,
      marketId: 0 as MarketId,
      side: this.draw(2) === 0 ? 'buy' : 'sell',
      clientOrderId: this.draw(3) === 0 ? `spot-${this.engine.sequence}` : null,
      orderType: 'limit',
      timeInForce: 'gtc',
      price: (9_000 + this.draw(2_000)) as Ticks,
      quantity: (1 + this.draw(50)) as Lots,
      quoteQuantity: null,
    };
  }
}

function credit(account: number, token: string): Command {
  return {
    type: 'creditBalance',
    address: `0x${(account + 1).toString(16).padStart(40, '0')}` as Address,
    token,
    amount: toAmount(2_000n * unit + BigInt(account)),
    actor: 'admin_api_key',
    reason: null,
    reference: `${token}-${account}`,
  };
}
