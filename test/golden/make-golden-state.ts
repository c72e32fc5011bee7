import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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
import { engineFactory } from '../../src/engine/engine.ts';
import type { Stamp } from '../../src/engine/state-machine.ts';
import { accountsUsed, futuresAction } from '../simulation/futures/futures-actions.ts';
import { simulatedMarkets } from '../simulation/futures/futures-simulation.ts';
import { resolveFuturesAction } from '../simulation/futures/resolve-futures-action.ts';
import { digestOf, toJson } from './golden-state.ts';
import { listFacts } from './state-facts.ts';

// node --import tsx test/golden/make-golden-state.ts: writes the stored state of the present
// version. Once, when the version begins; what stands there already is never written again.

const seed = 2_026;
const commandsBefore = 900;
const commandsAfter = 200;
const unit = 100_000_000n;

const engine = engineFactory.create();
let now = 1_750_003_180_000;
let random = seed;

function draw(below: number): number {
  random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor(random / 65_536) % below;
}

function stamp(): Stamp {
  now += engine.sequence % 3;
  return { sequence: (engine.sequence + 1) as Sequence, timestamp: now as TimestampMs };
}

function addressOf(account: number): Address {
  return `0x${(account + 1).toString(16).padStart(40, '0')}` as Address;
}

function credit(account: number, token: string): Command {
  const amount = toAmount(2_000n * unit + BigInt(account));
  const address = addressOf(account);
  const [actor, reason] = ['admin_api_key', null];
  return { type: 'creditBalance', address, token, amount, actor, reason, reference: `r${account}` };
}

function begin(): Command[] {
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
  return [
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
}

function spotOrder(): Command {
  return {
    type: 'placeSpotOrder',
    accountId: (1 + draw(accountsUsed)) as AccountId,
    marketId: 0 as MarketId,
    side: draw(2) === 0 ? 'buy' : 'sell',
    clientOrderId: draw(3) === 0 ? `spot-${engine.sequence}` : null,
    orderType: 'limit',
    timeInForce: 'gtc',
    price: (9_000 + draw(2_000)) as Ticks,
    quantity: (1 + draw(50)) as Lots,
    quoteQuantity: null,
  };
}

const actions = fc.sample(futuresAction, { seed, numRuns: 6_000 });

/** So many commands of both sides of the exchange, and what came of them. */
function run(count: number): { commands: { command: Command; stamp: Stamp }[]; events: unknown[] } {
  const commands: { command: Command; stamp: Stamp }[] = [];
  const events: unknown[] = [];
  while (commands.length < count) {
    let command: Command | null = spotOrder();
    if (draw(5) !== 0) {
      const action = actions.shift();
      if (action === undefined) throw new Error('the actions are used up');
      if (action.kind === 'restore') continue;
      if (action.kind === 'wait') now += action.ms;
      command = resolveFuturesAction(action, engine.futures, now);
    }
    if (command === null) continue;
    const each = { command, stamp: stamp() };
    commands.push(each);
    const applied = engine.apply(command, each.stamp);
    events.push(applied.rejection, applied.events);
  }
  return { commands, events };
}

for (const command of begin()) engine.apply(command, stamp());
run(commandsBefore);
const bytes = engine.encodeState();
const hash = engine.stateHash();
const facts = listFacts(engine);
const { commands, events } = run(commandsAfter);
const version = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
const folder = fileURLToPath(new URL(`./state/v${version}/`, import.meta.url));
mkdirSync(folder);
writeFileSync(`${folder}state.bin`, bytes);
writeFileSync(`${folder}commands.json`, toJson(commands));
const after = { hash: engine.stateHash(), events: digestOf(events) };
writeFileSync(`${folder}expected.json`, toJson({ hash, facts, after }));
