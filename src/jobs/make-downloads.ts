import type { DownloadStore } from '../application/futures/downloads.ts';
import { type DownloadPorts, makeDownload } from '../application/futures/make-download.ts';
import type { TimedJob } from './timed-job.ts';

export interface MakeDownloadsPorts extends DownloadPorts {
  readonly downloads: DownloadStore;
}

const intervalMs = 1_000;

/**
 * Makes the requested files, one after the other.
 *
 * A file is stored whole or not at all, and an existing one is kept: a run that is interrupted, or
 * overtaken by another process, has only done useless work.
 */
export function makeDownloadsJob(ports: MakeDownloadsPorts): TimedJob {
  const name = 'make-downloads';
  return {
    name,
    longLease: name,
    intervalMs,
    isReady: () => ports.exchange.state === 'ready',
    run: async ({ signal }) => {
      for (;;) {
        const pending = signal.aborted ? null : await ports.downloads.findPending();
        if (pending === null) return;
        await ports.downloads.complete(pending.id, await makeDownload(ports, pending, signal));
      }
    },
  };
}
