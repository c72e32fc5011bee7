import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { DemoOptions } from '../domain/demo-accounts.ts';
import type { Logger } from '../observability/log.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Runs the exchange's own traders in the development markets; null for none. */
  readonly demo: DemoOptions | null;
  /** The journal or the engine failed: the process has to end with a failure. */
  readonly onFatal: (error: unknown) => void;
}

/** The journal's folder. */
export function journalFolder({ dataDir }: Config): string {
  return join(dataDir, 'journal');
}
