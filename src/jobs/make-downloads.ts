import type { DownloadStore } from '../application/futures/downloads.ts';
import { type DownloadPorts, makeDownload } from '../application/futures/make-download.ts';
import type { TimedJob } from './timed-job.ts';

export interface MakeDownloadsPorts extends DownloadPorts {
  readonly downloads: DownloadStore;
}

const intervalMs = 1_000;

/**
 * Makes the files that were asked for, one after the other.
 *
 * A file is kept whole or not at all, and one that is there stays: a run that is cut off, or that
 * another process overtakes, has only worked for nothing.
 */
export function makeDownloadsJob(ports: MakeDownloadsPorts): TimedJob {
  const name = 'make-downloads';
  return {
    name,
    keptLease: name,
    intervalMs,
    isReady: () => ports.exchange.state === 'ready',
    run: async ({ signal }) => {
      for (;;) {
        const pending = signal.aborted ? null : await ports.downloads.findPending();
        if (pending === null) return;
        await ports.downloads.keep(pending.id, await makeDownload(ports, pending, signal));
      }
    },
  };
}
