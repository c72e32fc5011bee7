import type {
  BlockReference,
  ChainEvent,
  ChainLedger,
  ParkedEvent,
} from '../../application/ports/chain-ledger.ts';
import type { DrainingContract } from '../../application/ports/contracts.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Logger } from '../../observability/log.ts';
import type { ContractAddresses } from '../chain-addresses.ts';
import type { Hash } from '../evm-values.ts';
import type { ChainNode } from '../node/chain-node.ts';
import {
  type FollowedBlock,
  type FollowerAnswer,
  type FollowerOptions,
  type FollowerRequest,
  type FollowerResult,
  nextRequest,
  receiveAnswer,
  resultOf,
  startFollowing,
} from './block-follower.ts';
import { findWithheld } from './find-withheld.ts';
import { filterOf, readEvents } from './registry.ts';

// Brings the database up to date with the confirmed chain. A poll continues until nothing is left
// to count; an error of the node or the database ends it, and the next one starts at the database's
// last counted block.

export interface EventListenerOptions {
  readonly node: ChainNode;
  readonly ledger: ChainLedger;
  readonly contracts: ContractAddresses;
  /** Contracts that were replaced and are counted too; without it none. */
  readonly draining?: () => readonly DrainingContract[];
  readonly confirmations: number;
  /** Whether only blocks that the chain itself calls final are counted, however few are on top. */
  readonly areBlocksFinal?: boolean;
  /** The block before the contracts' first; called if nothing was counted yet. */
  readonly findStartBlock: () => Promise<StartBlock>;
  /**
   * Ensures that the chain itself will not lose counted blocks: returns the highest block that may
   * be counted. A chain that others operate does not need this.
   */
  readonly secureHead?: () => Promise<number>;
  readonly log: Logger;
}

/** Where counting begins; `isFirst`: no contract is older. */
export interface StartBlock {
  readonly number: number;
  readonly isFirst: boolean;
}

export interface ListenerStatus {
  /** The last counted block. */
  readonly cursor: BlockReference | null;
  /** The chain shares no remembered block: it is another chain, or was reset too far. */
  readonly isLost: boolean;
}

const blocksPerStepMax = 100;
// How far back to search for a common block while the listener runs.
const countedBlocksMax = 512;

export class EventListener {
  readonly #options: EventListenerOptions;
  #cursor: BlockReference | null = null;
  #isLost = false;
  #running: Promise<BlockReference> | null = null;
  /** Accounts of events counted since the last `takeTouched`. */
  #touched = new Set<Address>();
  /** Blocks counted since the books agreed last, at most as many as the database remembers. */
  #unconfirmed: readonly FollowedBlock<ChainEvent>[] = [];
  /** What is counted for a block whose logs were withheld, by its hash. */
  #corrected: ReadonlyMap<Hash, readonly ChainEvent[]> = new Map();

  constructor(options: EventListenerOptions) {
    this.#options = options;
  }

  get status(): ListenerStatus {
    return { cursor: this.#cursor, isLost: this.#isLost };
  }

  /**
   * Counts everything that is confirmed now and returns the last counted block. Calls made while a
   * poll is running share it.
   * @throws ChainUnavailableError, DatabaseError; Error if the chain is not the one counted before
   */
  async poll(): Promise<BlockReference> {
    this.#running ??= this.#catchUp().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Returns the accounts of the events counted since the last call. */
  takeTouched(): readonly Address[] {
    const touched = [...this.#touched];
    this.#touched = new Set();
    return touched;
  }

  /** The books agree at the last counted block. */
  confirm(): void {
    this.#unconfirmed = [];
    this.#corrected = new Map();
  }

  /**
   * Reads the blocks that were counted since the books agreed again, from the receipts of each
   * provider. Counts them again if a provider shows events that were withheld and that are all that
   * is missing; otherwise changes nothing and returns null.
   * @throws ChainUnavailableError, DatabaseError
   */
  async recount(
    isMissing: (events: readonly ChainEvent[]) => boolean,
  ): Promise<BlockReference | null> {
    const { node, contracts, draining = () => [], ledger, log } = this.#options;
    const former = draining();
    const filter = filterOf(contracts, former);
    const answers = await Promise.all(
      this.#unconfirmed.map(({ header }) => node.loadReceiptLogs(header, filter)),
    );
    const read = answers.map((each) => each.map((logs) => readEvents(logs, contracts, former)));
    const found = findWithheld(this.#unconfirmed, read, isMissing);
    const [first] = found;
    if (first === undefined) return null;
    const { number, parentHash } = first.header;
    log.error({ block: number, events: found.length }, 'withheld events are counted');
    this.#corrected = new Map(found.map(({ header, events }) => [header.hash, events]));
    await ledger.rollBackTo({ number: number - 1, hash: parentHash });
    this.#unconfirmed = this.#unconfirmed.filter(({ header }) => header.number < number);
    return this.poll();
  }

  /** Reads how far the counting is without counting; false before the first block. */
  async readProgress(): Promise<boolean> {
    const counted = await this.#options.ledger.loadCountedBlocks();
    const last = counted.at(-1);
    if (last === undefined) return false;
    this.#cursor = last;
    const { kind } = await this.#scan(counted);
    this.#isLost = kind === 'lost';
    return true;
  }

  async #catchUp(): Promise<BlockReference> {
    const counted = await this.#loadCounted();
    for (;;) {
      const last = counted.at(-1);
      if (last === undefined) throw new Error('nothing is counted');
      this.#cursor = last;
      const result = await this.#scan(counted);
      this.#isLost = result.kind === 'lost';
      if (result.kind === 'idle') return last;
      await this.#take(result, counted);
    }
  }

  async #loadCounted(): Promise<BlockReference[]> {
    const { ledger, node, findStartBlock } = this.#options;
    const counted = await ledger.loadCountedBlocks();
    if (counted.length > 0) return [...counted];
    const { number, isFirst } = await findStartBlock();
    const header = await node.findHeader(number);
    if (header === null) throw new Error(`the node has no block ${number} to start from`);
    const start = { number, hash: header.hash };
    await ledger.startAfter(start, isFirst);
    return [start];
  }

  async #scan(counted: readonly BlockReference[]): Promise<FollowerResult<ChainEvent>> {
    const options: FollowerOptions = {
      confirmations: this.#options.confirmations,
      blocksPerStepMax,
    };
    let state = startFollowing<ChainEvent>(counted, options);
    for (;;) {
      const request = nextRequest(state);
      if (request === null) break;
      state = receiveAnswer(state, await this.#ask(request));
    }
    const result = resultOf(state);
    if (result === null) throw new Error('a scan ended without a result');
    return result;
  }

  async #ask(request: FollowerRequest): Promise<FollowerAnswer<ChainEvent>> {
    const { node, contracts, draining = () => [] } = this.#options;
    switch (request.kind) {
      case 'head':
        return { kind: 'head', number: await this.#loadHead() };
      case 'header':
        return { kind: 'header', header: await node.findHeader(request.number) };
      case 'events': {
        const corrected = this.#corrected.get(request.header.hash);
        if (corrected !== undefined) return { kind: 'events', events: corrected };
        const former = draining();
        const logs = await node.loadLogs(request.header, filterOf(contracts, former));
        return { kind: 'events', events: readEvents(logs, contracts, former) };
      }
    }
  }

  async #loadHead(): Promise<number> {
    const { node, secureHead } = this.#options;
    const { number } = await node.loadHead();
    return secureHead === undefined ? number : Math.min(number, await secureHead());
  }

  // The list of counted blocks is updated together with the database, so that it is not read again
  // for each step.
  async #take(
    result: Exclude<FollowerResult<ChainEvent>, { kind: 'idle' }>,
    counted: BlockReference[],
  ): Promise<void> {
    const { ledger, log, confirmations, areBlocksFinal = false } = this.#options;
    switch (result.kind) {
      case 'advance': {
        const blocks = result.blocks.map(({ header, events }) => ({
          number: header.number,
          hash: header.hash,
          seconds: header.timestamp,
          events,
        }));
        this.#report(await ledger.countBlocks(blocks));
        for (const { account } of blocks.flatMap(({ events }) => events)) {
          this.#touched.add(account);
        }
        this.#unconfirmed = [...this.#unconfirmed, ...result.blocks].slice(-countedBlocksMax);
        counted.push(...blocks.map(({ number, hash }) => ({ number, hash })));
        counted.splice(0, Math.max(0, counted.length - countedBlocksMax));
        return;
      }
      case 'rollBack': {
        const { to } = result;
        this.#unconfirmed = this.#unconfirmed.filter(({ header }) => header.number <= to.number);
        const from = counted.at(-1)?.number;
        log.error({ block: to.number, from }, 'the chain was reorganized');
        // Confirmed blocks must never leave the chain.
        const detail = `the chain abandoned the confirmed blocks ${to.number + 1} to ${from}`;
        const isDeep = confirmations > 0 || areBlocksFinal;
        await ledger.rollBackTo(to, isDeep ? { kind: 'deep_reorganization', detail } : undefined);
        counted.splice(counted.findIndex(({ number }) => number === to.number) + 1);
        return;
      }
      case 'lost':
        throw new Error(
          'the chain shares no block with the one that was counted: is it a different chain?',
        );
    }
  }

  #report(parked: readonly ParkedEvent[]): void {
    for (const { event, block, error } of parked) {
      const { type, account, transactionHash } = event;
      this.#options.log.error(
        { type, account, transactionHash, block: block.number, error },
        'a chain event could not be applied and waits for an operator',
      );
    }
  }
}
