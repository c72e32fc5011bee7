import { cp, rename, rm } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Trader } from '../../src/client/trader.ts';
import { ClusterFixture, type Member } from '../support/cluster-fixture.ts';
import { hasNatsServer } from '../support/nats-server.ts';
import { OrderStream } from '../support/order-stream.ts';

// What an operator does with the members of an exchange, on real servers: `npm run cluster --
// members`, `begin` and `compare`. The tests follow on each other.

const soon = { timeout: 60_000, interval: 50 };
const isOlderCopy = 'this data folder is an older copy: the process is a new one and no member';

if (!hasNatsServer) console.log('skipped: no nats-server on PATH for test/e2e/cluster-members');

describe.skipIf(!hasNatsServer)('members of a cluster', () => {
  let cluster: ClusterFixture;
  let members: Member[];
  let taker: Trader;

  beforeAll(async () => {
    cluster = await ClusterFixture.open();
    members = [];
    for (const name of ['first', 'second', 'third']) members.push(await cluster.start(name));
    const [first] = members;
    taker = await Trader.register(first!.connection, 'taker');
    await first!.credit(taker, 'USDT', '10000000');
    await cluster.settle(3);
  });

  afterAll(() => cluster?.close());

  const nameOf = ({ folder }: Member): string => folder.split('/').at(-1)!;
  const numbers = (text: string): string[] => text.match(/^[0-9a-f]{16}/gm) ?? [];

  test('members: three are entered as they join, and two of them hold what is acknowledged', async () => {
    const { code, text } = await cluster.operate(['members']);
    expect(code).toBe(0);
    expect(numbers(text)).toHaveLength(3);
    expect(text).toMatch(/^2 of 3 hold what is acknowledged$/m);
    const fourth = await cluster.start('fourth');
    const { text: after } = await cluster.operate(['members']);
    expect(after).toMatch(/no member/);
    expect(await fourth.service.stop('SIGTERM')).toBe(0);
  });

  test('members: a process with an older copy of its folder is a new one, and gets its place back by a command', async () => {
    const owner = await cluster.findOwner(members);
    const gone = members.find((member) => member !== owner)!;
    const name = nameOf(gone);
    const before = numbers((await cluster.operate(['members'])).text);
    await gone.service.stop('SIGKILL');
    const backup = `${gone.folder}-backup`;
    await cp(gone.folder, backup, { recursive: true });
    const again = await cluster.start(name);
    await vi.waitUntil(() => again.isReady(), soon);
    expect(numbers((await cluster.operate(['members'])).text).sort()).toEqual([...before].sort());
    await again.service.stop('SIGKILL');
    await rm(gone.folder, { recursive: true });
    await rename(backup, gone.folder);
    const restored = await cluster.start(name);
    await vi.waitUntil(() => restored.isReady(), soon);
    await restored.service.logged(isOlderCopy);
    const { text } = await cluster.operate(['members']);
    const added = numbers(text).filter((member) => !before.includes(member));
    const old = before.filter((member) => text.includes(`${member}  member     does not answer`));
    expect([added.length, old.length]).toEqual([1, 1]);
    const change = await cluster.operate(['members', '--replace', old[0]!, added[0]!]);
    expect(change.code).toBe(0);
    await cluster.settle(3);
    members = members.map((member) => (member === gone ? restored : member));
    const stream = new OrderStream(taker.over(restored.connection), '0.01', 6_000, 'ioc');
    await stream.runUntil(20);
  });

  test('members: an impossible change is refused with the reason', async () => {
    for (const [words, text] of [
      [['members', '--remove', 'f'.repeat(16)], `cluster: ${'f'.repeat(16)} is no member\n`],
      [['members', '--add', 'f'.repeat(16)], 'cluster: that process does not answer\n'],
      [
        ['members', '--replace', 'a'],
        'cluster: --replace takes the old and the new member, and no other option\n',
      ],
      [
        ['begin', '--without', 'f'.repeat(16)],
        'cluster: nothing is done: repeat this with --accept-loss\n',
      ],
    ] as const) {
      const done = await cluster.operate(words);
      expect(done.code).toBe(1);
      expect(done.text.endsWith(text)).toBe(true);
    }
  });

  test('row 9: while journals are missing only an operator can begin an epoch, and a process that comes back exits with code 4', async () => {
    const owner = await cluster.findOwner(members);
    const [second, third] = members.filter((member) => member !== owner);
    const before = numbers((await cluster.operate(['members'])).text);
    await cluster.nats.kill();
    await cluster.nats.copyStore();
    await cluster.nats.startAgain();
    for (const member of members) await vi.waitUntil(() => member.isReady(), soon);
    // The third is away while owner and second acknowledge what only they hold, and the database
    // learns nothing of it: what it holds binds an operator too. A paused one would read later what
    // had reached its socket.
    const blocker = new pg.Client({ connectionString: cluster.database.url });
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE projector_position IN EXCLUSIVE MODE');
    await third!.service.stop('SIGKILL');
    const lost = new OrderStream(taker.over(second!.connection), '0.01', 7_000, 'ioc');
    await lost.runUntil(20);
    for (const { service } of [owner, second!]) service.process.kill('SIGKILL');
    await blocker.end();
    await cluster.nats.kill();
    await cluster.nats.loseNewer();
    await cluster.nats.startAgain();
    const starting = cluster.start(nameOf(third!));
    let away: string[] = [];
    await vi.waitUntil(async () => {
      const { text } = await cluster.operate(['members']);
      away = before.filter((member) => text.includes(`${member}  member     does not answer`));
      return away.length === 2;
    }, soon);
    const begun = await cluster.operate(['begin', '--without', ...away, '--accept-loss']);
    expect(begun.code).toBe(0);
    const alone = await starting;
    await vi.waitUntil(() => alone.isOwner(), soon);
    const { text: after } = await cluster.operate(['members']);
    expect(after).toMatch(/^1 of 1 hold what is acknowledged$/m);
    await vi.waitUntil(() => alone.isReady(), soon);
    const again = new OrderStream(taker.over(alone.connection), '0.01', 8_000, 'ioc');
    await again.runUntil(5);
    const compared = await cluster.operate(['compare', owner.folder]);
    expect(compared.text).toMatch(/they part there: entry \d+ of the log differs/);
    expect(compared.text).toMatch(/only in the journal: commands \d+ to \d+/);
    expect(await cluster.exitOf(nameOf(owner))).toBe(4);
    const kept = /only in the journal[^]*$/;
    const { text: same } = await cluster.operate(['compare', owner.folder]);
    expect(kept.exec(same)?.[0]).toBe(kept.exec(compared.text)![0]);
  });
});
