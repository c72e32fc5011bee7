import type { Logger } from 'pino';
import type { RandomSource } from '../system/random-source.ts';
import type { Time } from '../system/time.ts';
import { judgeFolder, type StampStore, stampFolder } from './folder-stamp.ts';
import type { MemberFile } from './member-file.ts';
import { copyError, findCopy } from './member-state.ts';
import { openWithRetry, type RetryOptions } from './open-with-retry.ts';
import type { RollCall } from './roll-call.ts';

export interface OwnFolderParts {
  readonly member: MemberFile;
  readonly stamps: StampStore;
  readonly random: RandomSource;
  readonly rollCall: RollCall;
  readonly process: string;
  readonly retry: RetryOptions;
}

/** Another process has started with a copy of this process's folder and is the member now. */
class FolderCopiedError extends Error {
  override readonly name = 'FolderCopiedError';
}

const stampEveryMs = 10_000;

/**
 * Makes sure, before this process reports anything under the number in its folder, that no other
 * folder has been the member's since: otherwise it takes a new number. Waits for the database, as
 * only that can tell.
 * @throws Error if a process runs with the same number and this folder is a copy of its present one
 */
export async function claimFolder(parts: OwnFolderParts): Promise<void> {
  const { member, random, rollCall, process, retry } = parts;
  const stamps = withRetries(parts.stamps, retry);
  const asked = { member: member.member, process };
  const other = await openWithRetry(() => findCopy(rollCall, asked), retry);
  const own = { member, stamps, random };
  // A copy must not take the number from a process that runs.
  const verdict = other === undefined ? await stampFolder(own) : await judgeFolder(own);
  if (verdict === 'own' && other === undefined) return;
  if (verdict === 'own') throw copyError(other!, member.member);
  const before = member.member;
  await member.renumber(random.hex(8));
  const replace = `npm run cluster -- members --replace ${before} ${member.member}`;
  retry.logger.error(
    { before, member: member.member, replace },
    'this data folder is an older copy: the process is a new one and no member',
  );
  await stampFolder(own);
}

/**
 * Stamps the folder again and again until the signal is aborted, so that a copy of it is soon an
 * older one, and so that this process learns whether another one uses a copy.
 * @throws FolderCopiedError
 */
export async function keepStamping(
  parts: Pick<OwnFolderParts, 'member' | 'stamps' | 'random' | 'retry'>,
  time: Pick<Time, 'sleep'>,
  everyMs: number = stampEveryMs,
): Promise<void> {
  const { retry, member } = parts;
  const { signal } = retry;
  for (;;) {
    await time.sleep(everyMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    // Without the database, or with a disk that fails, the folder keeps the stamp that it has.
    const verdict = await stampFolder(parts).catch(() => 'own');
    if (verdict === 'own' || signal.aborted) continue;
    throw new FolderCopiedError(
      `another process has started with a copy of this data folder and is the member ` +
        `${member.member} now: this one is a new process when it starts again`,
    );
  }
}

function withRetries(stamps: StampStore, retry: RetryOptions): StampStore {
  return {
    load: (member) => openWithRetry(() => stamps.load(member), retry, warnOfDatabase),
    replace: (...change) => openWithRetry(() => stamps.replace(...change), retry, warnOfDatabase),
  };
}

function warnOfDatabase(logger: Logger, error: unknown): void {
  logger.warn({ err: error }, 'the database does not confirm this data folder yet; trying again');
}
