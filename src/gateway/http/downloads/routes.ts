import { Type } from 'typebox';
import type { DownloadStore } from '../../../application/futures/downloads.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import { type Answer, defineEndpoint, type Endpoint } from '../endpoint.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';

const csvType = 'text/csv; charset=utf-8';

/** History files, for anyone who has their URL. */
export function downloadRoutes(store: DownloadStore): SurfaceRoutes {
  return { surface: plainSurface, endpoints: [openDownload(store)] };
}

function openDownload(store: DownloadStore): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/downloads/:token',
    tag: 'Futures account and trading',
    summary: 'A history file',
    description:
      'CSV, as requested at /fapi/v1/order/asyn, trade/asyn or income/asyn. The token in ' +
      'the URL grants access for 7 days from the request.',
    auth: { kind: 'none' },
    weight: 50,
    params: Type.Object({
      token: Type.String({
        description: "The last part of the file's URL",
        pattern: '^[0-9a-f]{64}$',
        examples: ['0'.repeat(64)],
      }),
    }),
    answer: Type.String({ description: 'The file' }),
    reasons: ['path_not_found', 'database_failed'],
    handle: async ({ params }): Promise<Answer<string>> => {
      const file = await store.open(params.token);
      if (file === null) return { kind: 'failed', failure: { reason: 'path_not_found' } };
      const { name: fileName, content: text } = file;
      return { kind: 'raw', status: 200, contentType: csvType, text, fileName };
    },
  });
}
