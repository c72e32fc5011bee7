import type { ErrorCatalog } from './error-row.ts';

/** Errors of the points program. */
export const pointsErrors = {
  seasonExists: {
    status: 409,
    code: 'SEASON_EXISTS',
    text: 'A season with this season_no already exists',
  },
  seasonNotFound: {
    status: 404,
    code: 'SEASON_NOT_FOUND',
    text: 'There is no season with this season_no',
  },
  seasonCompleted: {
    status: 409,
    code: 'SEASON_COMPLETED',
    text: 'The snapshot has been taken; the season can no longer change',
  },
} as const satisfies ErrorCatalog;
