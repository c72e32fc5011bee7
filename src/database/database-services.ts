import type { AccountEventFeed } from '../application/account-events.ts';
import type { AdminMoney } from '../application/admin/admin-money.ts';
import type { AdminRecords } from '../application/admin/admin-records.ts';
import type { DownloadStore } from '../application/futures/downloads.ts';
import type { ListenKeyStore } from '../application/futures/listen-keys.ts';
import type { MarketStatistics } from '../application/futures/market-statistics.ts';
import type {
  PointsJobStore,
  PointsReader,
  PointsStore,
} from '../application/points/points-ports.ts';
import type {
  ApiKeyStore,
  EndedSessions,
  LoginNonceStore,
  ProfileStore,
  UserStore,
} from '../application/ports/accounts.ts';
import type { BalanceFeed } from '../application/ports/balance-feed.ts';
import type { DatabaseHealth, ReadBarrier } from '../application/ports/database.ts';
import type { OutcomeLog } from '../application/ports/exchange.ts';
import type { FuturesHistory } from '../application/ports/futures-history.ts';
import type { JobLeases, OldRecords } from '../application/ports/jobs.ts';
import type { AuditLog } from '../application/ports/operators.ts';
import type { SpotHistory } from '../application/ports/spot-history.ts';
import type { SpotRecords } from '../application/ports/spot-records.ts';
import type { ClaimStore, FailedSettlements } from '../application/referral/claim-ports.ts';
import type { ReferralReader, ReferralStore } from '../application/referral/referral-ports.ts';
import type { SolvencyStore } from '../application/upkeep/check-solvency.ts';
import type { VipFeed, VipStore } from '../application/vip/vip-ports.ts';
import type { WalletPauseStore } from '../application/wallet/pause-ports.ts';
import type { WithdrawalReviewStore } from '../application/wallet/review-ports.ts';
import type {
  PerpWithdrawalStore,
  WalletHistory,
  WalletStore,
} from '../application/wallet/wallet-ports.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { type ChainMinimums, type ChainStores, chainStores, noMinimums } from './chain-stores.ts';
import { DatabaseClaimStore } from './claims/claim-store.ts';
import { DatabaseFailedSettlements } from './claims/failed-settlements.ts';
import { DatabaseMarketStatistics } from './futures/database-market-statistics.ts';
import { DatabaseFuturesHistory } from './futures/futures-history.ts';
import { DatabaseJobLeases } from './jobs/job-lease-store.ts';
import { DatabaseOldRecords } from './jobs/old-records.ts';
import { isMigrated, migrateDatabase } from './migrate-database.ts';
import { DatabaseAccountEventFeed } from './notifications/account-event-feed.ts';
import { DatabaseBalanceFeed } from './notifications/balance-feed.ts';
import {
  type NotificationHandler,
  NotificationListener,
} from './notifications/notification-listener.ts';
import type { Database } from './open-database.ts';
import { BoardCache } from './points/board-cache.ts';
import { CachedPointsReader } from './points/cached-points-reader.ts';
import { DatabasePointsJobStore } from './points/points-job-store.ts';
import { DatabasePointsReader } from './points/points-reader.ts';
import { DatabasePointsStore } from './points/points-store.ts';
import { storeEpochStart } from './points/store-epoch-start.ts';
import { projections } from './projections/registry.ts';
import { DatabaseBatchStore } from './projector/batch-store.ts';
import { DatabaseAheadError, findHeldPosition } from './projector/journal-end.ts';
import { PositionBarrier } from './projector/position-barrier.ts';
import {
  type ProjectedBatch,
  Projector,
  type ProjectorLead,
  type ProjectorObserver,
} from './projector/projector.ts';
import { SharedBarrier } from './projector/shared-barrier.ts';
import { DatabaseSpotHistory } from './queries/spot-history.ts';
import { DatabaseSpotRecords } from './queries/spot-records.ts';
import { DatabaseReferralReader } from './referral/referral-reader.ts';
import { DatabaseReferralStore } from './referral/referral-store.ts';
import { DatabaseAdminMoney } from './stores/admin-money-reader.ts';
import { DatabaseAdminReader } from './stores/admin-reader.ts';
import { DatabaseApiKeyStore, type KeyChanges } from './stores/api-key-store.ts';
import { DatabaseAuditLog } from './stores/audit-log.ts';
import { DatabaseHealthCheck } from './stores/database-health.ts';
import { DatabaseDownloadStore } from './stores/download-store.ts';
import { DatabaseEndedSessions } from './stores/ended-session-store.ts';
import { DatabaseListenKeyStore } from './stores/listen-key-store.ts';
import { DatabaseLoginNonceStore } from './stores/login-nonce-store.ts';
import { DatabaseProfileStore } from './stores/profile-store.ts';
import { SecretBox } from './stores/secret-box.ts';
import { DatabaseUserStore } from './stores/user-store.ts';
import { DatabaseVipFeed } from './vip/vip-feed.ts';
import { DatabaseVipStore } from './vip/vip-store.ts';
import { DatabasePauseStore } from './wallet/pause-store.ts';
import { DatabasePerpWithdrawalStore } from './wallet/perp-withdrawal-store.ts';
import { DatabaseReviewStore } from './wallet/review-store.ts';
import { DatabaseSolvencyStore } from './wallet/solvency-store.ts';
import { DatabaseWalletHistory } from './wallet/wallet-history.ts';
import { DatabaseWalletStore } from './wallet/wallet-store.ts';

export interface DatabaseServicesOptions {
  /** Limits on the cost of chain writes; absent: no write waits for another. */
  readonly chainMinimums?: ChainMinimums;
  readonly database: Database;
  readonly outcomes: OutcomeLog;
  /** The last durable sequence; null while the journal is being replayed. */
  readonly journalEnd: () => Sequence | null;
  /** 32 bytes in hex. */
  readonly secretsKey: string;
  /** Absent with a single process. */
  readonly keyChanges?: KeyChanges;
  /** What all processes had acknowledged at its call, or more; absent with a single process. */
  readonly acknowledged?: () => Promise<Sequence>;
  /** POINTS_EPOCH_START in Unix seconds; null: the Monday before the first start. */
  readonly pointsEpochStart?: number | null;
  /** How long a read waits for the projector, in milliseconds. */
  readonly barrierTimeoutMs?: number;
  /** Runs the projector somewhere other than on this thread. */
  readonly startProjector?: ProjectorStarter;
  /** For metrics: called after each batch, and after each failure that is retried. */
  readonly onBatch?: (batch: ProjectedBatch) => void;
  readonly onFailure?: (error: unknown) => void;
}

/** Starts the projector; its observer is called on the thread of the services. */
export type ProjectorStarter = (parts: ProjectorParts) => ProjectorHandle;

export interface ProjectorParts {
  readonly observer: ProjectorObserver;
  /** To be called once the database has the tables of this version. */
  readonly onPrepared: () => void;
}

export interface ProjectorHandle {
  start(): void;
  stop(): Promise<void>;
}

/** Everything that the rest of the exchange uses of the database. */
export interface DatabaseServices {
  readonly history: SpotHistory;
  readonly spotRecords: SpotRecords;
  readonly futuresHistory: FuturesHistory;
  readonly marketStatistics: MarketStatistics;
  readonly barrier: ReadBarrier;
  readonly apiKeys: ApiKeyStore;
  readonly loginNonces: LoginNonceStore;
  readonly endedSessions: EndedSessions;
  readonly listenKeys: ListenKeyStore;
  readonly downloads: DownloadStore;
  readonly profiles: ProfileStore;
  readonly audit: AuditLog;
  readonly users: UserStore;
  readonly adminRecords: AdminRecords;
  readonly adminMoney: AdminMoney;
  readonly balances: BalanceFeed;
  readonly health: DatabaseHealth;
  readonly referral: ReferralStore;
  readonly referralReader: ReferralReader;
  readonly vip: VipStore;
  readonly vipFeed: VipFeed;
  readonly accountEvents: AccountEventFeed;
  readonly walletStore: WalletStore;
  readonly perpWithdrawals: PerpWithdrawalStore;
  readonly walletPauses: WalletPauseStore;
  readonly reviews: WithdrawalReviewStore;
  readonly walletHistory: WalletHistory;
  readonly solvencyStore: SolvencyStore;
  readonly claims: ClaimStore;
  readonly failedSettlements: FailedSettlements;
  readonly points: PointsServices;
  readonly jobLeases: JobLeases;
  readonly oldRecords: OldRecords;
  readonly chain: ChainStores;
  /** Resolves once the database has the tables of this version, however long that takes. */
  readonly prepared: Promise<void>;
  /** The sequence up to which the database is known to hold everything. */
  readonly position: Sequence;
  /** False until the position is first read: reads of history would wait. */
  readonly isPositionKnown: boolean;
  /** Migrates, projects and listens from now on, whenever the database responds. */
  start(): void;
  /** Ends after the batch that is being written; the database itself stays open. */
  stop(): Promise<void>;
}

/** The points program. */
export interface PointsServices {
  readonly reader: PointsReader;
  readonly store: PointsStore;
  readonly jobs: PointsJobStore;
  /** The leaderboards in memory. */
  readonly boards: Pick<BoardCache, 'catchUp'>;
}

const defaultBarrierTimeoutMs = 2_000;

export function createDatabaseServices(options: DatabaseServicesOptions): DatabaseServices {
  const { database, acknowledged } = options;
  const { log } = database;
  const barrier = new PositionBarrier(options.barrierTimeoutMs ?? defaultBarrierTimeoutMs);
  const secrets = new SecretBox(options.secretsKey);
  const apiKeys = new DatabaseApiKeyStore(database.accounts, secrets, log, options.keyChanges);
  const endedSessions = new DatabaseEndedSessions(database.accounts, Date.now, log);
  const balances = new DatabaseBalanceFeed(database.reads, log);
  const vipFeed = new DatabaseVipFeed(database.reads, log);
  const accountEvents = new DatabaseAccountEventFeed(database.reads, log);
  const boards = new BoardCache(database.boards, log);
  const handlers = [apiKeys, endedSessions, balances, vipFeed, accountEvents, boards];
  const listener = listenFor(database, handlers);
  let isForeign = false;
  let isPositionKnown = false;
  const onPosition = (position: Sequence): void => {
    isForeign = false;
    isPositionKnown = true;
    barrier.moveTo(position);
  };
  let notePrepared = (): void => undefined;
  const prepared = new Promise<void>((resolve) => {
    notePrepared = resolve;
  });
  const projector = (options.startProjector ?? projectHere(options))({
    onPrepared: () => {
      // The listeners read tables, so they start once these exist.
      listener.start();
      notePrepared();
    },
    observer: {
      onPosition,
      onBatch: (batch) => options.onBatch?.(batch),
      onFailure: (error) => {
        isForeign = error instanceof DatabaseAheadError;
        barrier.fail(error);
        options.onFailure?.(error);
      },
    },
  });
  return {
    ...storesOf(database, options.chainMinimums ?? noMinimums),
    points: pointsServices(database, boards),
    barrier: acknowledged === undefined ? barrier : new SharedBarrier(barrier, acknowledged),
    apiKeys,
    endedSessions,
    balances,
    health: new DatabaseHealthCheck(database.accounts, () => isForeign),
    vipFeed,
    accountEvents,
    listenKeys: listenKeysOf(options),
    downloads: downloadsOf(options),
    prepared,
    get position() {
      return barrier.position;
    },
    get isPositionKnown() {
      return isPositionKnown;
    },
    start: () => {
      projector.start();
      void adoptPosition(options, onPosition);
    },
    stop: async () => {
      await projector.stop();
      const feeds = [listener, balances, vipFeed, accountEvents, boards];
      await Promise.all(feeds.map((feed) => feed.stop()));
    },
  };
}

function listenFor(
  { target, log }: Database,
  handlers: readonly NotificationHandler[],
): NotificationListener {
  const listener = new NotificationListener(target, log);
  for (const handler of handlers) listener.add(handler);
  return listener;
}

// The projector reports the position once it runs, which takes a moment on its own thread; until
// then reads of history would wait, or fail, for rows that are already there.
async function adoptPosition(
  { database, journalEnd }: DatabaseServicesOptions,
  adopt: (position: Sequence) => void,
): Promise<void> {
  const position = await findHeldPosition(database);
  const end = journalEnd();
  if (position !== null && end !== null && position <= end) adopt(position);
}

function listenKeysOf({ database, secretsKey }: DatabaseServicesOptions): ListenKeyStore {
  const { accounts: pool, log } = database;
  return new DatabaseListenKeyStore({ pool, secretsKey, now: () => new Date(), log });
}

function downloadsOf({ database, secretsKey }: DatabaseServicesOptions): DownloadStore {
  return new DatabaseDownloadStore({ pool: database.jobs, secretsKey, now: () => new Date() });
}

/** Runs the projector on this thread. */
export function projectHere(
  options: Pick<
    DatabaseServicesOptions,
    'database' | 'outcomes' | 'journalEnd' | 'pointsEpochStart'
  > & { readonly lead?: ProjectorLead },
): ProjectorStarter {
  const { database, outcomes, journalEnd, pointsEpochStart = null, lead } = options;
  let hasMigrated = false;
  return ({ observer, onPrepared }) =>
    new Projector({
      store: new DatabaseBatchStore(database.projector, projections),
      outcomes,
      journalEnd,
      log: database.log,
      ...(lead === undefined ? {} : { lead }),
      prepare: async () => {
        if (hasMigrated && (await isMigrated(database))) return;
        await migrateDatabase(database);
        hasMigrated = true;
        await storeEpochStart(database, pointsEpochStart);
        onPrepared();
      },
      observer,
    });
}

/** The stores that need nothing but connections. */
function storesOf(database: Database, minimums: ChainMinimums) {
  const { reads, accounts, rewards, jobs, leases } = database;
  return {
    history: new DatabaseSpotHistory(reads),
    spotRecords: new DatabaseSpotRecords(reads),
    futuresHistory: new DatabaseFuturesHistory(reads),
    marketStatistics: new DatabaseMarketStatistics(reads),
    loginNonces: new DatabaseLoginNonceStore(accounts, () => new Date()),
    profiles: new DatabaseProfileStore(accounts),
    audit: new DatabaseAuditLog(accounts),
    users: new DatabaseUserStore(accounts),
    adminRecords: new DatabaseAdminReader(reads),
    adminMoney: new DatabaseAdminMoney(reads),
    referral: new DatabaseReferralStore(rewards),
    referralReader: new DatabaseReferralReader(reads),
    vip: new DatabaseVipStore(accounts),
    walletStore: new DatabaseWalletStore(accounts, () => new Date()),
    perpWithdrawals: new DatabasePerpWithdrawalStore(accounts, () => new Date()),
    walletPauses: new DatabasePauseStore(accounts, () => new Date()),
    reviews: new DatabaseReviewStore(accounts, () => new Date()),
    solvencyStore: new DatabaseSolvencyStore(jobs, () => new Date()),
    walletHistory: new DatabaseWalletHistory(reads),
    claims: new DatabaseClaimStore(rewards),
    failedSettlements: new DatabaseFailedSettlements(rewards),
    jobLeases: new DatabaseJobLeases(leases),
    oldRecords: new DatabaseOldRecords(jobs),
    chain: chainStores(database, minimums),
  };
}

function pointsServices({ reads, accounts, jobs }: Database, boards: BoardCache): PointsServices {
  return {
    reader: new CachedPointsReader(new DatabasePointsReader(reads), boards),
    store: new DatabasePointsStore(accounts),
    jobs: new DatabasePointsJobStore(jobs, () => boards.catchUp()),
    boards,
  };
}
