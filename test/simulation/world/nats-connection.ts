import type { OrderReply } from '../../../src/application/ports.ts';
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
import { type Line, type NatsModel, StoreFullError } from './nats-model.ts';
import { trueWallMs } from './sim-time.ts';

// The side of one process. What `StreamLog` and the other clients of NATS do about silence, asking
// again under the same id and looking again after a while, is done here in the same way.

const askTimeoutMs = 2_000;
const retryMs = 100;
const askAgainMs = 250;
const rollCallMs = 300;
const absentAgainMs = 200;
const replyMs = 1_000;
const reopenedMs = 1_000;

export function connectToModel(nats: NatsModel, line: Line, time: Time): ConnectedTransport {
  return {
    log: logOf(nats, line, time),
    leaseStore: leaseOf(nats, line),
    link: linkOf(nats, line),
    rollCall: rollCallOf(nats, line),
    liveness: livenessOf(nats, line, time),
    replies: repliesOf(nats, line),
    operator: { answer: () => undefined },
    reportLink: reportLinkOf(nats, line),
    leave: async () => nats.leave(line),
  };
}

function logOf(nats: NatsModel, line: Line, time: Time): SharedLog {
  const ask = <T>(answer: () => T): Promise<T> => nats.ask(line, askTimeoutMs, answer);
  const loadEnd = (): Promise<number> => ask(() => nats.entries.length);
  const load = (position: number): Promise<PlacedEntry | null> =>
    ask(() => {
      const { length } = nats.entries;
      const isLate = position <= length && position > length - line.troubles.lateEntries;
      if (isLate) throw new LogUnreachableError('the replica does not have this entry yet');
      const entry = nats.entryAt(position);
      return position > length - line.troubles.damagedEntries ? damaged(entry) : entry;
    });
  let isFull = false;
  return {
    loadEnd,
    load,
    loadBeginning: () => ask(() => nats.beginning),
    // Every stored entry is old.
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
      const id = entryId(line.process, entry.epoch, after.position + 1);
      // The owner's buffer is used again for the next group.
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
          await nextTail(line, time, signal);
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

// The first of the others that has an answer sends it; the rest stay silent.
function repliesOf(nats: NatsModel, line: Line): OrderReplies {
  return {
    find: (signature) =>
      new Promise((resolve) => {
        const cancel = nats.world.schedule(replyMs, line.actor, () => resolve(null));
        for (const other of [...nats.lines].filter((each) => each !== line)) {
          void findReplyAt(nats, line, other, signature).then((reply) => {
            if (reply === null) return;
            cancel();
            resolve(reply);
          });
        }
      }),
    share: (find) => {
      line.findReply = find;
    },
  };
}

async function findReplyAt(
  nats: NatsModel,
  line: Line,
  other: Line,
  signature: string,
): Promise<OrderReply | null> {
  if (!(await nats.pass(line, 'up')) || !(await nats.pass(other, 'down'))) return null;
  const reply = await other.findReply(signature).catch(() => null);
  if (reply === null || !(await nats.pass(other, 'up'))) return null;
  return (await nats.pass(line, 'down')) ? reply : null;
}

// A writer notifies the others; the notice may be lost, so the end is also polled.
function nextTail(line: Line, time: Time, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const before = line.onTail;
    const finish = (): void => {
      cancel();
      signal.removeEventListener('abort', finish);
      if (line.onTail === finish) line.onTail = before;
      resolve();
    };
    const cancel = time.after(askAgainMs, finish);
    signal.addEventListener('abort', finish);
    line.onTail = finish;
  });
}

// The server knows whose connections are open: that of a killed process is closed, and after a
// restart it knows those that were opened since.
function livenessOf(nats: NatsModel, line: Line, time: Time): ProcessLiveness {
  const isThere = (other: string): boolean =>
    [...nats.lines].some(({ process, openedIn }) => process === other && openedIn === nats.start);
  return {
    isGone: async (other) => {
      if (!(await nats.pass(line, 'up')) || isThere(other)) return false;
      await time.sleep(absentAgainMs);
      const isNew = nats.world.now - line.openedAt <= reopenedMs;
      return !isNew && !isThere(other) && (await nats.pass(line, 'down'));
    },
  };
}

function leaseOf(nats: NatsModel, line: Line): LeaseStore {
  return {
    load: () => nats.ask(line, askTimeoutMs, () => nats.lease),
    write: (record, expected) =>
      nats.ask(line, askTimeoutMs, () => {
        if (nats.troubles.isFull) throw new LogUnreachableError('the store is full');
        if ((nats.lease?.revision ?? null) !== expected) return null;
        const storedAt = trueWallMs(nats.world);
        nats.lease = { record, revision: (expected ?? 0) + 1, storedAt };
        return nats.lease.revision;
      }),
  };
}

function rollCallOf(nats: NatsModel, line: Line): RollCall {
  return {
    answer: (report) => {
      line.report = report;
    },
    ask: (isEnough, epoch) =>
      new Promise((resolve) => {
        const answers: RollAnswer[] = [];
        const finish = (): void => {
          cancel();
          resolve(answers);
        };
        const cancel = nats.world.schedule(rollCallMs, line.actor, finish);
        const others = [...nats.lines].filter((other) => other !== line);
        for (const other of others) {
          void askOne(nats, line, other, epoch).then((answer) => {
            if (answer === null) return;
            answers.push(answer);
            if (isEnough(answers)) finish();
          });
        }
      }),
  };
}

function reportLinkOf(nats: NatsModel, line: Line): JournalReportLink {
  return {
    announce: (report) => {
      void nats.pass(line, 'up').then((isReached) => {
        if (!isReached) return;
        for (const other of nats.lines) {
          void nats.pass(other, 'down').then((isThere) => isThere && other.onReport(report));
        }
      });
    },
    onReport: (listener) => {
      line.onReport = listener;
    },
  };
}

async function askOne(
  nats: NatsModel,
  line: Line,
  other: Line,
  epoch: number | null,
): Promise<RollAnswer | null> {
  if (!(await nats.pass(line, 'up')) || !(await nats.pass(other, 'down'))) return null;
  const question = { process: line.process, epoch };
  const answer = (await other.report?.(question).catch(() => null)) ?? null;
  if (answer === null || !(await nats.pass(other, 'up'))) return null;
  return (await nats.pass(line, 'down')) ? answer : null;
}

function linkOf(nats: NatsModel, line: Line): RequestLink {
  const deliver = async (epoch: number, request: number, record: Uint8Array): Promise<void> => {
    if (!(await nats.pass(line, 'up'))) return;
    const owner = nats.owners.get(epoch);
    if (owner === undefined) {
      if (await nats.pass(line, 'down')) line.onRefusal(request, 'absent');
      return;
    }
    if (!(await nats.pass(owner.line, 'down'))) return;
    const refuse = async (refusal: Refusal): Promise<void> => {
      if (!(await nats.pass(owner.line, 'up')) || !(await nats.pass(line, 'down'))) return;
      line.onRefusal(request, refusal);
    };
    owner.take({ process: line.process, request, record, refuse: (why) => void refuse(why) });
  };
  return {
    get isConnected() {
      return line.isConnected;
    },
    onRefusal: (listener) => {
      line.onRefusal = listener;
    },
    send: (epoch, request, record) => {
      const copy = Uint8Array.from(record);
      for (let sent = nats.arrivals(); sent > 0; sent -= 1) void deliver(epoch, request, copy);
    },
    listen: (epoch, take) => {
      nats.owners.set(epoch, { line, take });
      return () => nats.owners.delete(epoch);
    },
  };
}
