import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { brisk, credit, creditsOf, MemoryCluster } from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { RequestRepeatedError } from '../application/ports/exchange.ts';
import { digestOf, type RequestDigest } from '../domain/request-digest.ts';

const soon = { interval: 2 };
let cluster: MemoryCluster;
let numbers = 0;

beforeEach(() => {
  cluster = new MemoryCluster();
});
afterEach(() => cluster.close());

function newDigest(): RequestDigest {
  numbers += 1;
  return digestOf(numbers.toString(16).padStart(8, '0').padEnd(64, '9'), Date.now());
}

describe('a signed order sent to several processes', () => {
  it('is one order, whichever process has it first', async () => {
    const { owner, standby } = await cluster.joinTwo();
    for (const [first, second] of [
      [owner, standby],
      [standby, owner],
      [standby, standby],
    ] as const) {
      const digest = newDigest();
      const { sequence } = await first.exchange.submit(credit(), digest);
      await expect(second.exchange.submit(credit(), digest)).rejects.toThrow(RequestRepeatedError);
      expect(await owner.exchange.read((view) => view.sequence)).toBe(sequence);
    }
  });

  it('is one order if it arrives at all at once', async () => {
    const { owner, standby } = await cluster.joinTwo();
    const seen = creditsOf(owner);
    const digest = newDigest();
    const all = [owner, standby, standby, owner, standby];
    const answers = await Promise.allSettled(
      all.map(({ exchange }) => exchange.submit(credit('once'), digest)),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = answers.filter((each) => each.status === 'rejected');
    expect(refusals.every(({ reason }) => reason instanceof RequestRepeatedError)).toBe(true);
    expect(seen).toEqual(['once']);
  });

  it('is one order after a hand-over and after a takeover', async () => {
    cluster.timing = brisk;
    const { owner, standby } = await cluster.joinTwo();
    const third = await cluster.join();
    const digests = [newDigest(), newDigest()];
    await owner.exchange.submit(credit(), digests[0]);
    await third.exchange.submit(credit(), digests[1]);
    const [first, second] = [owner, standby].map(({ exchange }) => exchange);
    await first!.handOver();
    const others = [standby, third];
    await vi.waitUntil(() => others.some(({ exchange }) => exchange.isOwner), soon);
    const next = others.find(({ exchange }) => exchange.isOwner)!;
    const last = others.find((each) => each !== next)!;
    for (const digest of digests) {
      await expect(second!.submit(credit(), digest)).rejects.toThrow(RequestRepeatedError);
    }
    cluster.hub.pause(next.process);
    await vi.waitUntil(() => last.exchange.isOwner, soon);
    for (const digest of digests) {
      await expect(last.exchange.submit(credit(), digest)).rejects.toThrow(RequestRepeatedError);
    }
  });

  it('is one order after a restart of all processes', async () => {
    const disks = [new MemoryDisk(), new MemoryDisk()];
    const [owner, standby] = [await cluster.join(disks[0]), await cluster.join(disks[1])];
    const digest = newDigest();
    await standby.exchange.submit(credit(), digest);
    await Promise.all([owner.exchange.stop(), standby.exchange.stop()]);
    const again = await cluster.join(new MemoryDisk(disks[1]!.files()));
    const empty = await cluster.join(new MemoryDisk());
    for (const { exchange } of [again, empty]) {
      await expect(exchange.submit(credit(), digest)).rejects.toThrow(RequestRepeatedError);
    }
  });

  it('is made later if it was refused because there was no owner', async () => {
    cluster.timing = brisk;
    const { owner, standby } = await cluster.joinTwo();
    const seen = creditsOf(standby);
    const digest = newDigest();
    cluster.hub.beforeAppend = (process) => {
      if (process === owner.process) cluster.hub.pause(process);
    };
    const first = await standby.exchange.submit(credit('again'), digest).then(
      () => 'made',
      (error: Error) => error.name,
    );
    await vi.waitUntil(() => standby.exchange.isOwner, soon);
    const second = standby.exchange.submit(credit('again'), digest);
    if (first === 'made') await expect(second).rejects.toThrow(RequestRepeatedError);
    else await second;
    expect(seen.filter((reason) => reason === 'again')).toHaveLength(1);
  });

  it('may be sent again after an answer that was lost: it is there once', async () => {
    const { owner, standby } = await cluster.joinTwo();
    const seen = creditsOf(owner);
    cluster.hub.repeatsRequest = () => true;
    const digest = newDigest();
    await standby.exchange.submit(credit('kept'), digest);
    await expect(standby.exchange.submit(credit('kept'), digest)).rejects.toThrow(
      RequestRepeatedError,
    );
    expect(seen).toEqual(['kept']);
  });
});
