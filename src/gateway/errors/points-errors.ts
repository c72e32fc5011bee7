import type { ErrorCatalog } from './error-row.ts';

/** Errors of the points program. */
export const pointsErrors = {
  seasonExists: {
    status: 409,
    code: 'SEASON_EXISTS',
    text: 'There is a season of this season_no',
  },
  seasonNotFound: { status: 404, code: 'SEASON_NOT_FOUND', text: 'No season of this season_no' },
  seasonCompleted: {
    status: 409,
    code: 'SEASON_COMPLETED',
    text: 'The snapshot is taken; the season cannot change any more',
  },
} as const satisfies ErrorCatalog;
