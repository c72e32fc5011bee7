import { plainErrors } from '../../errors/plain-errors.ts';
import type { ReasonRows } from '../../errors/surface.ts';

// Decision: only POST /spot/orders and GET /spot/depth report a busy or a restarting engine as
// such, like the error table; all other endpoints that need the engine answer DB_ERROR meanwhile.

/** The rows of an endpoint that answers DB_ERROR while the engine is busy or restarting. */
export const engineUnavailableIsDatabaseError: Partial<ReasonRows> = {
  engine_busy: plainErrors.databaseFailed,
  engine_restarting: plainErrors.databaseFailed,
};
