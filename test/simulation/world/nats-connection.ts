import type { OrderReply } from '../../../src/application/ports/exchange.ts';
import type { JournalReportLink } from '../../../src/cluster/journal-report.ts';
import { entryId, type PlacedEntry } from '../../../src/cluster/log-entry.ts';
import { LogUnreachableError } from '../../../src/cluster/log-unreachable-error.ts';
import type { OrderReplies } from '../../../src/cluster/order-replies.ts';
import type { LeaseStore } from '../../../src/cluster/owner-lease.ts';
import type { ProcessLiveness } from '../../../src/cluster/process-liveness.ts';
import type { Refusal, RequestLink } from '../../../src/cluster/request-link.ts';
import type { RollAnswer, RollCall } from '../../../src/cluster/roll-call.ts';
import { type SharedLog, trimmedLogError } from '../../../src/cluster/shared-log.ts';
import type { ConnectedTransport } from '../../../src/cluster/transport.ts';
import type { Time } from '../../../src/system/time.ts';
import { type Connection, type NatsModel, StoreFullError } from './nats-model.ts';
import { trueWallMs } from './sim-time.ts';

// The client's side of a connection. It handles silence like `StreamLog` and the other clients of
// NATS: it repeats a request under the same id, and polls after a while.

const askTimeoutMs = 2_000;
const retryMs = 100;
const askAgainMs = 250;
const rollCallMs = 300;
const absentAgainMs = 200;
const replyMs = 1_000;
const reopenedMs = 1_000;

export function connectToModel(
  nats: NatsModel,
  connection: Connection,
  time: Time,
): ConnectedTransport {
  return {
    log: logOf(nats, connection, time),
    leaseStore: leaseOf(nats, connection),
    link: linkOf(nats, connection),
    rollCall: rollCallOf(nats, connection),
    liveness: livenessOf(nats, connection, time),
    replies: repliesOf(nats, connection),
    operator: { answer: () => undefined },
    reportLink: reportLinkOf(nats, connection),
    leave: async () => nats.leave(connection),
  };
}

function logOf(nats: NatsModel, connection: Connection, time: Time): SharedLog {
  const ask = <T>(answer: () => T): Promise<T> => nats.ask(connection, askTimeoutMs, answer);
  const loadEnd = (): Promise<number> => ask(() => nats.entries.length);
  const load = (position: number): Promise<PlacedEntry | null> =>
    ask(() => {
      const { length } = nats.entries;
      const isLate = position <= length && position > length - connection.troubles.lateEntries;
      if (isLate) throw new LogUnreachableError('the replica does not have this entry yet');
      const entry = nats.entryAt(position);
      return position > length - connection.troubles.damagedEntries ? damaged(entry) : entry;
    });
  let isFull = false;
  return {
    loadEnd,
    load,
    loadBeginning: () => ask(() => nats.beginning),
    // All entries count as old, so that age never prevents trimming.
    loadTime: (position) => ask(() => (nats.entryAt(position) === null ? null : 0)),
    trimBelow: (position) =>
      ask(() => {
        nats.beginning = position;
        nats.world.note(`the log begins with entry ${position}`);
      }),
    loadEndAndStart: () =>
      ask(() => ({ end: nats.entries.length, start: `start ${nats.start}`, isOneServer: true })),
    get isFull() {
      return isFull;
    },
    forgetEnd: () => undefined,
    append: async (entry, after, by = 'id') => {
      const id = entryId(connection.process, entry.epoch, after.position + 1);
      // The owner reuses its buffer for the next group.
      const copy = { ...entry, group: Uint8Array.from(entry.group) };
      for (;;) {
        try {
          const stored = await ask(() => {
            const place = nats.store(copy, after, by, id);
            if (nats.losesAnswer()) throw new LogUnreachableError('the answer is lost');
            return place;
          });
          isFull = false;
          return stored;
        } catch (error) {
          isFull = error instanceof StoreFullError;
          if (!(error instanceof LogUnreachableError)) throw error;
          await time.sleep(retryMs);
        }
      }
    },
    follow: async (from, visit, signal) => {
      for (let next = from; !signal.aborted; ) {
        const entry = await load(next).catch(() => null);
        if (signal.aborted) return;
        if (next < nats.beginning) throw trimmedLogError(nats.beginning);
        if (entry === null) {
          await nextTail(connection, time, signal);
          continue;
        }
        await visit(entry);
        next += 1;
      }
    },
  };
}

/** The same entry with one bit of its records flipped. */
function damaged(entry: PlacedEntry | null): PlacedEntry | null {
  if (entry === null || entry.group.length === 0) return entry;
  const group = Uint8Array.from(entry.group);
  group[group.length >> 1]! ^= 1;
  return { ...entry, group };
}

// The first other process that has the answer sends it; the rest stay silent.
function repliesOf(nats: NatsModel, connection: Connection): OrderReplies {
  return {
    find: (signature) =>
      new Promise((resolve) => {
        const cancel = nats.world.schedule(replyMs, connection.actor, () => resolve(null));
        for (const other of [...nats.connections].filter((each) => each !== connection)) {
          void findReplyAt(nats, connection, other, signature).then((reply) => {
            if (reply === null) return;
            cancel();
            resolve(reply);
          });
        }
      }),
    share: (find) => {
      connection.findReply = find;
    },
  };
}

async function findReplyAt(
  nats: NatsModel,
  connection: Connection,
  other: Connection,
  signature: string,
): Promise<OrderReply | null> {
  if (!(await nats.pass(connection, 'up')) || !(await nats.pass(other, 'down'))) return null;
  const reply = await other.findReply(signature).catch(() => null);
  if (reply === null || !(await nats.pass(other, 'up'))) return null;
  return (await nats.pass(connection, 'down')) ? reply : null;
}

// A writer notifies the others. The notice may be lost, so the end of the log is also polled.
function nextTail(connection: Connection, time: Time, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const before = connection.onTail;
    const finish = (): void => {
      cancel();
      signal.removeEventListener('abort', finish);
      if (connection.onTail === finish) connection.onTail = before;
      resolve();
    };
    const cancel = time.after(askAgainMs, finish);
    signal.addEventListener('abort', finish);
    connection.onTail = finish;
  });
}

// The server knows which connections are open: a killed process has none, and after a restart the
// server knows only those opened since.
function livenessOf(nats: NatsModel, connection: Connection, time: Time): ProcessLiveness {
  const isThere = (other: string): boolean =>
    [...nats.connections].some(
      ({ process, openedIn }) => process === other && openedIn === nats.start,
    );
  return {
    isGone: async (other) => {
      if (!(await nats.pass(connection, 'up')) || isThere(other)) return false;
      await time.sleep(absentAgainMs);
      const isNew = nats.world.now - connection.openedAt <= reopenedMs;
      return !isNew && !isThere(other) && (await nats.pass(connection, 'down'));
    },
  };
}

function leaseOf(nats: NatsModel, connection: Connection): LeaseStore {
  return {
    load: () => nats.ask(connection, askTimeoutMs, () => nats.lease),
    write: (record, expected) =>
      nats.ask(connection, askTimeoutMs, () => {
        if (nats.troubles.isFull) throw new LogUnreachableError('the store is full');
        if ((nats.lease?.revision ?? null) !== expected) return null;
        const storedAt = trueWallMs(nats.world);
        nats.lease = { record, revision: (expected ?? 0) + 1, storedAt };
        return nats.lease.revision;
      }),
  };
}

function rollCallOf(nats: NatsModel, connection: Connection): RollCall {
  return {
    answer: (report) => {
      connection.report = report;
    },
    ask: (isEnough, epoch) =>
      new Promise((resolve) => {
        const answers: RollAnswer[] = [];
        const finish = (): void => {
          cancel();
          resolve(answers);
        };
        const cancel = nats.world.schedule(rollCallMs, connection.actor, finish);
        const others = [...nats.connections].filter((other) => other !== connection);
        for (const other of others) {
          void askOne(nats, connection, other, epoch).then((answer) => {
            if (answer === null) return;
            answers.push(answer);
            if (isEnough(answers)) finish();
          });
        }
      }),
  };
}

function reportLinkOf(nats: NatsModel, connection: Connection): JournalReportLink {
  return {
    announce: (report) => {
      void nats.pass(connection, 'up').then((isReached) => {
        if (!isReached) return;
        for (const other of nats.connections) {
          void nats.pass(other, 'down').then((isThere) => isThere && other.onReport(report));
        }
      });
    },
    onReport: (listener) => {
      connection.onReport = listener;
    },
  };
}

async function askOne(
  nats: NatsModel,
  connection: Connection,
  other: Connection,
  epoch: number | null,
): Promise<RollAnswer | null> {
  if (!(await nats.pass(connection, 'up')) || !(await nats.pass(other, 'down'))) return null;
  const question = { process: connection.process, epoch };
  const answer = (await other.report?.(question).catch(() => null)) ?? null;
  if (answer === null || !(await nats.pass(other, 'up'))) return null;
  return (await nats.pass(connection, 'down')) ? answer : null;
}

function linkOf(nats: NatsModel, connection: Connection): RequestLink {
  const deliver = async (epoch: number, request: number, record: Uint8Array): Promise<void> => {
    if (!(await nats.pass(connection, 'up'))) return;
    const owner = nats.owners.get(epoch);
    if (owner === undefined) {
      if (await nats.pass(connection, 'down')) connection.onRefusal(request, 'absent');
      return;
    }
    if (!(await nats.pass(owner.connection, 'down'))) return;
    const refuse = async (refusal: Refusal): Promise<void> => {
      if (!(await nats.pass(owner.connection, 'up')) || !(await nats.pass(connection, 'down')))
        return;
      connection.onRefusal(request, refusal);
    };
    owner.take({ process: connection.process, request, record, refuse: (why) => void refuse(why) });
  };
  return {
    get isConnected() {
      return connection.isConnected;
    },
    onRefusal: (listener) => {
      connection.onRefusal = listener;
    },
    send: (epoch, request, record) => {
      const copy = Uint8Array.from(record);
      for (let sent = nats.arrivals(); sent > 0; sent -= 1) void deliver(epoch, request, copy);
    },
    listen: (epoch, take) => {
      nats.owners.set(epoch, { connection, take });
      return () => nats.owners.delete(epoch);
    },
  };
}
