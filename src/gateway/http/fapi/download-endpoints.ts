import {
  type DownloadKind,
  type DownloadStore,
  downloadKinds,
  downloadRowsMax,
  downloadsMax,
} from '../../../application/futures/downloads.ts';
import type { FuturesPorts } from '../../../application/futures/futures-ports.ts';
import { isDownloadTooLong } from '../../../application/futures/make-download.ts';
import { done } from '../../../domain/outcome.ts';
import { type Answer, accountReads, type Endpoint } from '../endpoint.ts';
import { failed } from './fapi-answers.ts';
import { accountEndpoint } from './fapi-endpoint.ts';
import type { FapiFields } from './fapi-fields.ts';

export interface DownloadOptions {
  readonly store: DownloadStore;
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string;
}

const spanMaxMs = 366 * 86_400_000;
const retryAfterSeconds = 86_400;
const names: Readonly<Record<DownloadKind, string>> = {
  order: 'orders',
  trade: 'trades',
  income: 'transactions',
};

/**
 * History as files, for accountants: one endpoint requests a file, the other returns where it is.
 */
export function downloadEndpoints(
  ports: FuturesPorts,
  options: DownloadOptions,
): readonly Endpoint[] {
  return downloadKinds.flatMap((kind) => [request(ports, options, kind), find(options, kind)]);
}

function request(ports: FuturesPorts, { store }: DownloadOptions, kind: DownloadKind): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: `/fapi/v1/${kind}/asyn`,
    weight: 1_000,
    summary: `Ask for a file of the caller’s ${names[kind]}`,
    description:
      'The file is created in the background, as CSV, and covers everything up to the request. ' +
      `An account has at most ${downloadsMax} files at a time, each kept for 7 days; a file has ` +
      `at most ${downloadRowsMax} rows, and a span with more of them is refused.`,
    fields: { startTime: 'Milliseconds', endTime: 'At most 366 days after startTime' },
    answers: 'The number of the file',
    handle: async (fields, { address }) => {
      const span = readSpan(fields, ports.now());
      if ('kind' in span) return span;
      const terms = { address, kind, ...span };
      if (await isDownloadTooLong(ports, terms)) {
        fields.fail('parameter_malformed', 'endTime', `more than ${downloadRowsMax} rows`);
        return failed(fields) as Answer<never>;
      }
      const downloadId = await store.request(terms);
      if (downloadId === null) {
        return { kind: 'failed', failure: { reason: 'rate_limited', retryAfterSeconds } };
      }
      return done({ avgCostTimestampOfLast30d: await store.averageMs(), downloadId });
    },
  });
}

function readSpan(
  fields: FapiFields,
  now: number,
): { readonly startTime: number; readonly endTime: number } | Answer<never> {
  const startTime = fields.required('startTime', () => fields.time('startTime')) ?? 0;
  const endTime = fields.required('endTime', () => fields.time('endTime')) ?? 0;
  if (endTime < startTime || endTime - startTime > spanMaxMs) {
    fields.fail('parameter_malformed', 'endTime', 'the span is longer than 366 days');
  }
  return failed(fields) ?? { startTime: Math.min(startTime, now), endTime: Math.min(endTime, now) };
}

function find({ store, baseUrl }: DownloadOptions, kind: DownloadKind): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: `/fapi/v1/${kind}/asyn/id`,
    weight: 10,
    summary: `Where a file of the caller’s ${names[kind]} is`,
    description: 'Anyone who has the URL can read the file without a signature.',
    fields: { downloadId: 'The number of the file' },
    answers: 'Whether the file is ready, and its URL',
    handle: async (fields, { address }) => {
      const id = fields.requiredText('downloadId');
      const failure = failed(fields);
      if (failure !== null) return failure;
      const found = await store.find(address, kind, id);
      if (found === null) {
        fields.fail('parameter_malformed', 'downloadId', 'no such file');
        return failed(fields) as Answer<never>;
      }
      const isMade = found.token !== null;
      return done({
        downloadId: found.id,
        status: isMade ? 'completed' : 'processing',
        url: isMade ? `${baseUrl}/api/v1/downloads/${found.token}` : '',
        s3Link: null,
        notified: isMade,
        expirationTimestamp: isMade ? found.expiresAt : -1,
        isExpired: null,
      });
    },
  });
}
