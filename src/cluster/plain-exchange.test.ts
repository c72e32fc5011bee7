import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { credit, creditsOf, MemoryCluster } from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { MemoryHub } from '../../test/support/memory-transport.ts';
import type { OrderReply } from '../application/ports/exchange.ts';
import { engineFactory } from '../engine/engine.ts';
import { openSequencer } from '../sequencer/sequencer.ts';
import { ClusterExchange } from './cluster-exchange.ts';
import type { ClusterOptions } from './cluster-options.ts';

const soon = { interval: 2 };
const restarting = { name: 'EngineRestartingError' };

describe('a process with no settings but what it needs', () => {
  let hub: MemoryHub;
  let disk: MemoryDisk;
  let exchange: ClusterExchange;
  let lines: { readonly msg: string }[];
  let failures: unknown[];

  beforeEach(() => {
    hub = new MemoryHub();
    disk = new MemoryDisk();
    [lines, failures] = [[], []];
    exchange = open();
  });
  afterEach(() => exchange.stop());

  function open(): ClusterExchange {
    const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[0]);
    const logger = pino({ base: null }, { write });
    const onFatal = (error: unknown): void => void failures.push(error);
    const options: ClusterOptions = {
      transport: hub.transport(),
      journalId: async () => '0123456789abcdef',
      openSequencer: (shared) =>
        openSequencer({
          directory: '/journal',
          machines: engineFactory,
          clock: { now: Date.now },
          logger,
          onFatal,
          disk,
          shared,
        }),
      journalFolder: '/journal',
      disk,
      loadKnownSequence: async () => null,
      epochs: { load: async () => 0, raise: async () => true },
      waitingMax: 10,
      logger,
      onFatal,
    };
    return new ClusterExchange(options);
  }

  const messages = (): readonly string[] => lines.map(({ msg }) => msg);

  it('serves nothing before it has joined', async () => {
    expect(exchange.status).toMatchObject({
      role: 'starting',
      epoch: 0,
      position: 0,
      isConnected: false,
      hasOwner: false,
      isEnding: false,
      failure: null,
      unfitness: null,
    });
    expect([exchange.memberFile, exchange.isOwner, exchange.waiting]).toEqual([null, false, 0]);
    await expect(exchange.submit(credit())).rejects.toMatchObject(restarting);
    await expect(exchange.read(() => 1)).rejects.toMatchObject(restarting);
    expect(await exchange.answerOperator({ type: 'begin', without: [] })).toBeNull();
    expect(await exchange.orderMemory.findReply('f00d')).toBeNull();
  });

  it('becomes the owner of an exchange without a list of members, and says so', async () => {
    const owners: boolean[] = [];
    exchange.watchOwner((isOwner) => void owners.push(isOwner));
    await exchange.start();
    await vi.waitUntil(() => exchange.isOwner, soon);
    const later: boolean[] = [];
    exchange.watchOwner((isOwner) => void later.push(isOwner));
    await exchange.submit(credit());
    expect(await exchange.read(({ sequence }) => sequence)).toBe(1);
    expect(exchange.peek(({ sequence }) => sequence)).toBe(1);
    expect(exchange.durableSequence).toBe(1);
    expect([exchange.state, exchange.status.role, exchange.status.epoch]).toEqual([
      'ready',
      'owner',
      1,
    ]);
    expect(hub.entries[0]?.mark).toMatchObject({
      list: { members: [] },
      isComplete: true,
      without: [],
    });
    await exchange.stop();
    expect([owners, later]).toEqual([
      [false, true, false],
      [true, false],
    ]);
    expect(exchange.status).toMatchObject({ role: 'stopped', isEnding: true, failure: null });
    expect(messages()).toEqual(
      expect.arrayContaining([
        'joined the exchange',
        'this process owns the exchange',
        'handed the exchange over',
      ]),
    );
    expect(failures).toEqual([]);
  });

  it('begins no later epoch among several servers as if nothing could be missing', async () => {
    hub.isOneServer = false;
    for (const isComplete of [true, false]) {
      exchange = open();
      await exchange.start();
      await vi.waitUntil(() => exchange.isOwner, soon);
      expect(hub.entries.findLast(({ mark }) => mark !== null)?.mark?.isComplete).toBe(isComplete);
      await exchange.submit(credit());
      await exchange.handOver();
      expect(exchange.status.role).toBe('retired');
      expect(hub.owner).toBeNull();
      await exchange.stop();
    }
  });

  it('gives a log that has lost its end what its own journal holds', async () => {
    await exchange.start();
    await vi.waitUntil(() => exchange.isOwner, soon);
    for (let count = 0; count < 5; count += 1) await exchange.submit(credit());
    hub.loseEnd(5);
    expect((await exchange.submit(credit())).sequence).toBe(6);
    expect(hub.entries.at(-1)?.lastSequence).toBe(6);
    expect(failures).toEqual([]);
  });

  it('knows its own replies to signed orders', async () => {
    const reply = { body: 'accepted' } as unknown as OrderReply;
    exchange.orderMemory.shareReplies(async (signature) => (signature === 'f00d' ? reply : null));
    expect(await exchange.orderMemory.findOwnReply('f00d')).toBe(reply);
    expect(await exchange.orderMemory.findOwnReply('beef')).toBeNull();
    await exchange.start();
    expect(exchange.orderMemory.isComplete()).toBe(exchange.sequencer.isKeepingDigests);
    expect(await exchange.orderMemory.findReply('f00d')).toBeNull();
  });
});

describe('an owner whose commands need two journals', () => {
  let cluster: MemoryCluster;

  beforeEach(() => {
    cluster = new MemoryCluster();
    cluster.membersCount = 3;
    cluster.ackCopies = 2;
  });
  afterEach(() => cluster.close());

  it('acknowledges none before another member has reported it', async () => {
    const owner = await cluster.join();
    const others = [await cluster.join(), await cluster.join()];
    await cluster.settle();
    cluster.hub.losesReports = (process) => process !== owner.process;
    const seen = creditsOf(owner);
    let isAcknowledged = false;
    const acknowledged = owner.exchange.submit(credit('held')).then(() => {
      isAcknowledged = true;
    });
    const hasApplied = others.map(({ exchange }) => exchange.sequencer);
    await vi.waitUntil(
      () => hasApplied.every(({ writtenSequence }) => writtenSequence === 1),
      soon,
    );
    await vi.waitUntil(() => owner.exchange.sequencer.writtenSequence === 1, soon);
    await new Promise((resolve) => setImmediate(resolve));
    expect([isAcknowledged, seen]).toEqual([false, []]);
    cluster.hub.losesReports = () => false;
    await acknowledged;
    expect(seen).toEqual(['held']);
  });
});
