import type { Environment } from './env.ts';

/** A bucket of an S3-compatible server. */
interface S3Config {
  readonly endpoint: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  readonly isPathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Where the processes of an exchange share snapshots. */
export type SnapshotStoreConfig =
  | { readonly type: 'folder'; readonly folder: string }
  | { readonly type: 'jetstream' }
  | { readonly type: 's3'; readonly s3: S3Config };

const requiredForS3 = [
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const;

/** Null: snapshots are not shared. */
export function snapshotStoreConfig(environment: Environment): SnapshotStoreConfig | null {
  const { SNAPSHOT_STORE: place } = environment;
  if (place === null) return null;
  if (place === 'jetstream') return { type: 'jetstream' };
  if (place !== 's3') return { type: 'folder', folder: place };
  return {
    type: 's3',
    s3: {
      endpoint: environment.S3_ENDPOINT ?? '',
      bucket: environment.S3_BUCKET ?? '',
      prefix: environment.S3_PREFIX ?? '',
      region: environment.S3_REGION ?? 'us-east-1',
      isPathStyle: environment.S3_PATH_STYLE ?? true,
      accessKeyId: environment.S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: environment.S3_SECRET_ACCESS_KEY ?? '',
    },
  };
}

/** What is wrong with these settings, one sentence each; no value is part of it. */
export function findSnapshotStoreProblems(environment: Environment): readonly string[] {
  if (environment.SNAPSHOT_STORE !== 's3') return [];
  const problems = requiredForS3
    .filter((name) => environment[name] === null)
    .map((name) => `${name} is required with SNAPSHOT_STORE=s3`);
  const { S3_ENDPOINT: endpoint } = environment;
  if (endpoint === null) return problems;
  const { username, password, search, hash } = new URL(endpoint);
  if (username + password + search + hash === '') return problems;
  return [...problems, 'S3_ENDPOINT must have no user, query or fragment'];
}
