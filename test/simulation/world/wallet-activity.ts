import type { BlockReference, ChainEvent } from '../../../src/application/ports/chain-ledger.ts';
import { DatabaseError } from '../../../src/application/ports/database.ts';
import {
  type AppliedCommand,
  EngineBusyError,
  EngineRestartingError,
} from '../../../src/application/ports/exchange.ts';
import { requestWithdrawal } from '../../../src/application/wallet/request-withdrawal.ts';
import { WalletSettler } from '../../../src/application/wallet/wallet-settler.ts';
import { EventListener } from '../../../src/chain/events/event-listener.ts';
import { explains, type Missing } from '../../../src/chain/events/find-withheld.ts';
import type { ChainNode } from '../../../src/chain/node/chain-node.ts';
import { ChainUnavailableError } from '../../../src/chain/node/json-rpc.ts';
import { QuorumNode } from '../../../src/chain/node/quorum/quorum-node.ts';
import { AssertionError } from '../../../src/domain/assert.ts';
import type { Decimal } from '../../../src/domain/decimal.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { amountFromRaw } from '../../../src/programs/claims/token-units.ts';
import { OutcomeUnknownError } from '../../../src/sequencer/command-pipeline.ts';
import { flowAddress } from '../../support/spot-flow.ts';
import type { Activity } from './activity.ts';
import { askProcess } from './ask.ts';
import { type ChainModel, signatureOf, vaultAddress, vaultToken } from './chain-model.ts';
import { ChainView, loadNonce } from './chain-view.ts';
import { Draws } from './draws.ts';
import type { Faulty } from './faults.ts';
import { Violation } from './history.ts';
import type { Machine, RunningProcess } from './machine.ts';
import { MemoryLedger } from './memory-ledger.ts';
import { trueWallMs } from './sim-time.ts';
import { WalletTables } from './wallet-tables.ts';
import type { Actor } from './world.ts';

export interface WalletActivityOptions {
  readonly faulty: Faulty;
  readonly chain: ChainModel;
  readonly accounts: number;
  readonly onViolation: (error: unknown) => void;
}

const providers = 3;
const quorum = 2;
const jobMs = 500;
/** The longest pause between two steps of an account. */
const pauseMs = 120;
const othersGraceMs = 5_000;
const milli = 10n ** 15n;
const noAddress = `0x${'0'.repeat(40)}` as Address;
const contracts = {
  rewardRouter: noAddress,
  referralRebate: noAddress,
  spotVault: vaultAddress,
};

interface WalletOfProcess {
  readonly settler: WalletSettler;
  readonly withdraw: (account: Address, amount: Decimal) => Promise<string>;
}

/** Deposits and withdrawals of all accounts, with a chain that forks and all processes. */
export class WalletActivity implements Activity {
  commands = 0;
  acknowledged = 0;
  readonly repeats = 0;
  readonly #options: WalletActivityOptions;
  readonly #draws: Draws;
  readonly #tables: WalletTables;
  readonly #ledger: MemoryLedger;
  /** One node for each machine, or several providers that all machines ask. */
  readonly #views: readonly ChainView[];
  readonly usesQuorum: boolean;
  readonly liar: ChainView;
  readonly #wallets = new Map<RunningProcess, WalletOfProcess>();
  readonly #confirmations: number;
  readonly #credited = new Map<string, number>();
  #ids = 0;
  #engine: Engine | null = null;
  #isResting = false;

  constructor(options: WalletActivityOptions) {
    this.#options = options;
    const { world, database, machines } = options.faulty;
    this.#draws = new Draws(world.seed, 'wallet');
    this.#tables = new WalletTables(database, new Draws(world.seed, 'wallet tables'));
    database.onRow = (applied) => this.#tables.take(applied);
    this.#ledger = new MemoryLedger(this.#tables);
    // Without confirmations, as on a development chain, forks revert blocks already counted.
    this.#confirmations = this.#draws.pick([0, 3, 3]);
    const providerDraws = new Draws(world.seed, 'providers');
    this.usesQuorum = providerDraws.chance(0.5);
    this.#views = Array.from({ length: this.usesQuorum ? providers : machines.length }, (_, at) => {
      return new ChainView(options.chain, world, new Draws(world.seed, `node ${at + 1}`));
    });
    this.liar = providerDraws.pick(this.#views);
  }

  viewOf(machine: Machine): ChainView {
    return this.#views[(machine.number - 1) % this.#views.length]!;
  }

  #openNode(view: ChainView, { actor, time, logger: log }: RunningProcess): ChainNode {
    if (!this.usesQuorum) return view.nodeFor(actor);
    const all = this.#views.map((each, at) => each.providerFor(actor, `provider ${at + 1}`));
    return new QuorumNode({ providers: all, quorum, areProofsRequired: false, time, log });
  }

  attach(machine: Machine, process: RunningProcess): void {
    const { actor, exchange, barrier, time, logger } = process;
    const view = this.viewOf(machine);
    const now = (): Date => new Date(trueWallMs(this.#options.faulty.world));
    const hasParked = (account: Address): boolean => this.#ledger.hasParked(account);
    const walletStore = this.#tables.storeFor(actor, now, hasParked);
    const node = this.#openNode(view, process);
    const vaultSigner = view.signerFor(actor, node);
    const reviews = { lapse: () => this.#tables.transact(actor, () => undefined) };
    const settler = new WalletSettler({
      exchange,
      barrier,
      walletStore,
      reviews,
      vaultSigner,
      others: { graceMs: othersGraceMs, monotonicMs: () => time.monotonicMs() },
      log: logger,
    });
    const ports = {
      exchange,
      vaultSigner,
      reviews,
      reviewLimits: null,
      walletStore,
      walletSettler: settler,
      chainId: 1,
      withdrawMinimums: new Map([[vaultToken.symbol, 1n as Decimal]]),
      newWithdrawalId: () => this.#newId(),
    } as unknown as Parameters<typeof requestWithdrawal>[0];
    const withdraw = async (address: Address, amount: Decimal): Promise<string> => {
      const made = await requestWithdrawal(ports, { address, token: vaultToken.symbol, amount });
      return made.kind === 'refused' ? made.refusal : made.kind;
    };
    this.#wallets.set(process, { settler, withdraw });
    const listener = new EventListener({
      node,
      ledger: this.#ledger.openFor(actor),
      contracts,
      confirmations: this.#confirmations,
      findStartBlock: async () => ({ number: 0, isFirst: true }),
      log: logger,
    });
    this.#repeat(process, () => this.#follow(process, node, listener));
    this.#repeat(process, () => (exchange.state === 'ready' ? settler.run() : Promise.resolve()));
  }

  start(): void {
    this.#options.chain.start();
    for (let account = 1; account <= this.#options.accounts; account += 1) {
      void this.#live(flowAddress(account), account).catch(this.#options.onViolation);
    }
  }

  rest(): void {
    this.#isResting = true;
  }

  findUnfinished(): string | null {
    const { chain } = this.#options;
    const { last, parked } = this.#ledger;
    if (parked.length > 0) return `an event is parked: ${parked[0]!.error}`;
    const { timestamp, number } = chain.head.header;
    const isOpen = this.#tables.withdrawals.some(({ status }) => status === 'signed');
    const isNear = last !== null && last.number >= number - this.#confirmations - 2;
    if (!isNear) return `only block ${last?.number} of ${number} is counted`;
    if (this.#tables.hasUnsettled) return `unsettled: ${this.#tables.describeUnsettled()}`;
    return isOpen ? `a withdrawal is still signed at ${timestamp}` : null;
  }

  probe(): Promise<void> {
    return Promise.resolve();
  }

  replay({ events }: AppliedCommand, engine: Engine): void {
    this.#engine = engine;
    for (const event of events) {
      if (event.type !== 'depositCredited') continue;
      const key = `${event.number} of account ${event.accountId}`;
      this.#credited.set(key, (this.#credited.get(key) ?? 0) + 1);
    }
  }

  /** O1: an account has what it deposited, less what the vault has paid out to it. */
  judge(): void {
    const { chain, accounts } = this.#options;
    const counted = chain.find(this.#ledger.last!.hash)!.state;
    const { symbol, decimals } = vaultToken;
    this.#noteFigures();
    for (const [key, times] of this.#credited) {
      if (times > 1) throw new Violation('O1', `the deposit ${key} is credited ${times} times`);
    }
    for (let number = 1; number <= accounts; number += 1) {
      const account = flowAddress(number);
      const paidIn = (counted.deposits.get(account) ?? []).reduce(
        (sum, raw) => sum + amountFromRaw(raw, decimals),
        0n,
      );
      const paidOut = counted.payments
        .filter((payment) => payment.account === account)
        .reduce((sum, { rawAmount }) => sum + amountFromRaw(rawAmount, decimals), 0n);
      const held = balanceOf(this.#engine!, account, symbol);
      if (held === paidIn - paidOut) continue;
      const text = `${account} paid in ${paidIn}, was paid ${paidOut} and has ${held}`;
      throw new Violation('O1', text);
    }
    const late = this.#tables.withdrawals.find(
      ({ id, status }) => status === 'abandoned' && this.#engine!.findWithdrawal(id) !== null,
    );
    if (late !== undefined)
      throw new Violation('O1', `${late.id} is abandoned but still set aside`);
    const paid = this.#tables.withdrawals.filter(({ status }) => status === 'completed').length;
    if (paid !== counted.payments.length) {
      const text = `${counted.payments.length} withdrawals are paid, ${paid} are completed`;
      throw new Violation('O1', text);
    }
  }

  #noteFigures(): void {
    const counts = new Map<string, number>();
    for (const { status } of this.#tables.withdrawals) {
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    const shown = [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
    const { length } = this.#tables.deposits;
    this.#options.faulty.world.note(`${length} deposits; withdrawals: ${shown}`);
  }

  /** One account: deposits, withdraws, and redeems what was signed for it. */
  async #live(account: Address, number: number): Promise<void> {
    const { faulty, chain } = this.#options;
    const { world, machines } = faulty;
    const actor = world.createActor();
    const draws = new Draws(world.seed, `wallet client ${number}`);
    for (;;) {
      await world.wait(draws.between(0, pauseMs), actor);
      const kind = draws.below(10);
      if (kind < 2) this.#redeem(account, draws);
      if (this.#isResting) continue;
      if (kind >= 8) chain.deposit(account, milli * BigInt(1 + draws.below(5_000)) + 7n);
      else if (kind >= 2) await this.#withdraw(actor, account, draws.pick(machines), draws);
    }
  }

  async #withdraw(
    actor: Actor,
    account: Address,
    { process }: Machine,
    draws: Draws,
  ): Promise<void> {
    const wallet = process === null ? undefined : this.#wallets.get(process);
    if (process === null || wallet === undefined) return;
    this.commands += 1;
    const amount = (BigInt(1 + draws.below(3_000)) * milli) as Decimal;
    const asked = wallet.withdraw(account, amount);
    const answered = await askProcess(this.#options.faulty.world, actor, process.actor, asked);
    if (answered === null) return;
    if ('error' in answered) this.#expectKnown(answered.error);
    else if (answered.value === 'signed') this.acknowledged += 1;
  }

  // The holder of a signature redeems it, perhaps late or more than once; one in ten never does.
  #redeem(account: Address, draws: Draws): void {
    const signed = this.#tables.withdrawals.filter(
      (row) => row.account === account && row.signature !== null && isRedeemed(row),
    );
    if (signed.length === 0 || draws.chance(0.5)) return;
    const { tokenAddress: token, rawAmount, nonce, deadline } = draws.pick(signed.slice(-3));
    const terms = { account, token, rawAmount, nonce, deadline };
    this.#options.chain.release(terms, signatureOf(terms));
  }

  // Counts confirmed events, recounts blocks with withheld events, and expires what is overdue.
  async #follow(process: RunningProcess, node: ChainNode, listener: EventListener): Promise<void> {
    let block = await listener.poll();
    const missing = this.#findMissing(block);
    if (missing.length > 0) {
      const again = await listener.recount((events) => explains(events, missing));
      if (again === null || this.#findMissing(again).length > 0) return this.#recountAll(process);
      block = again;
    }
    listener.confirm();
    const ledger = this.#ledger.openFor(process.actor);
    const proven = [];
    for (const { account, contract } of await ledger.listOverdue()) {
      const nonce = await loadNonce(node, account, block.hash);
      proven.push({ account, contract, nonce });
    }
    await ledger.expire(block, proven);
  }

  // A process finds withheld events in the blocks that it has counted itself. If it has restarted
  // since, an operator has the whole chain counted again.
  async #recountAll({ actor }: RunningProcess): Promise<void> {
    if (!this.#isResting) return;
    const [first] = this.#options.chain.blocks;
    await this.#ledger.openFor(actor).rollBackTo(first!.header);
  }

  // The difference between the contract's totals at that block and what is counted.
  #findMissing({ hash }: BlockReference): readonly Missing[] {
    if (this.#ledger.last?.hash !== hash) return [];
    const { deposits, payments } = this.#options.chain.find(hash)!.state;
    const counted = this.#tables.deposits.filter(({ block }) => block !== null);
    const completed = this.#tables.withdrawals.filter(({ status }) => status === 'completed');
    const parked: readonly ChainEvent[] = this.#ledger.parked.map(({ event }) => event);
    const count =
      [...deposits.values()].flat().length + payments.length - counted.length - completed.length;
    if (count === parked.length) return [];
    const raw = (rows: readonly { readonly rawAmount: bigint }[]): bigint =>
      rows.reduce((sum, { rawAmount }) => sum + rawAmount, 0n);
    const shown = [...deposits.values()].flat().reduce((sum, each) => sum + each, 0n);
    const held = parked.reduce((sum, event) => {
      if (event.type === 'vaultDeposited') return sum + event.rawAmount;
      return event.type === 'vaultReleased' ? sum - event.rawAmount : sum;
    }, 0n);
    const amount = shown - raw(payments) - raw(counted) + raw(completed) - held;
    return [{ what: 'accounted', of: vaultToken.address, amount }];
  }

  #repeat({ time }: RunningProcess, job: () => Promise<void>): void {
    let isRunning = false;
    time.every(jobMs, () => {
      if (isRunning) return;
      isRunning = true;
      job()
        .catch((error: unknown) => this.#expectKnown(error))
        .finally(() => {
          isRunning = false;
        });
    });
  }

  #expectKnown(error: unknown): void {
    const isKnown =
      error instanceof DatabaseError ||
      error instanceof EngineBusyError ||
      error instanceof EngineRestartingError ||
      error instanceof ChainUnavailableError ||
      error instanceof OutcomeUnknownError ||
      // Another process has counted the blocks in the meantime.
      (error instanceof AssertionError && error.message.includes('counted'));
    const isEnd = error instanceof Error && error.message === 'the process stops';
    if (!isKnown && !isEnd) this.#options.onViolation(error);
  }

  #newId(): string {
    this.#ids += 1;
    return `00000000-0000-4000-8000-${this.#ids.toString(16).padStart(12, '0')}`;
  }
}

function balanceOf(engine: Engine, account: Address, symbol: string): bigint {
  const [accountId, tokenId] = [engine.findAccount(account), engine.findToken(symbol)];
  if (accountId === null || tokenId === null) return 0n;
  const balance = engine.listBalances(accountId).find((each) => each.tokenId === tokenId);
  return balance === undefined ? 0n : balance.available + balance.locked;
}

// A withdrawal is either redeemed each time or never, so an expired one is never paid late.
function isRedeemed({ rawAmount }: { readonly rawAmount: bigint }): boolean {
  return (rawAmount / milli) % 10n !== 0n;
}
