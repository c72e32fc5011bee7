import type { Generated } from 'kysely';
import type { Int8, Timestamp } from '../column-types.ts';

export interface PointsTables {
  points_days: PointsDaysTable;
  points_epochs: PointsEpochsTable;
  points_credits: PointsCreditsTable;
  points_boards: PointsBoardsTable;
  points_ranked: PointsRankedTable;
  points_seasons: PointsSeasonsTable;
  points_distributions: PointsDistributionsTable;
  points_earn_levels: PointsEarnLevelsTable;
  job_leases: JobLeasesTable;
}

interface PointsColumns {
  trading: string;
  pnl: string;
  holding: string;
  referral: string;
  staking: string;
  total: string;
}

interface PointsDaysTable extends PointsColumns {
  day: number;
  account_id: Int8;
  fees_paid: string;
  referee_fees: string;
  realized_profit: string;
  value_held: string;
}

interface PointsEpochsTable extends PointsColumns {
  epoch: number;
  account_id: Int8;
  fees_paid: string;
  pnl_earned: string;
  holding_earned: string;
}

interface PointsCreditsTable {
  reference: string;
  account_id: Int8;
  type: string;
  points: string;
  day: number;
  admin_actor: string;
  created_at: Timestamp;
}

interface PointsBoardsTable {
  board: number;
  day: number | null;
  total: number;
  refreshed_at: Timestamp;
  revision: Int8;
  is_final: boolean;
}

interface PointsRankedTable {
  board: number;
  account_id: Int8;
  points: string;
}

export interface PointsSeasonsTable {
  season_id: Generated<string>;
  season_no: number;
  label: string;
  start_epoch: number;
  end_epoch: number;
  user_pool_tokens: Int8;
  mm_pool_tokens: Int8;
  status: string;
  snapshot_at: Timestamp | null;
  snapshot_taken_at: Timestamp | null;
  distribution_at: Timestamp | null;
}

interface PointsDistributionsTable {
  season_no: number;
  rank: number;
  account_id: Int8;
  pool: string;
  points: string;
  remainder: string;
  tokens: Int8;
}

interface PointsEarnLevelsTable {
  level: number;
  points_min: Int8;
  points_max: Int8 | null;
  weight: number;
  updated_at: Timestamp;
  updated_by: string | null;
}

interface JobLeasesTable {
  job: string;
  holder: string | null;
  expires_at: Timestamp | null;
  due_at: Timestamp;
  last_success_at: Timestamp | null;
  last_run_at: Timestamp | null;
  failures: Generated<string>;
}
