import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { DemoOptions } from '../domain/demo-accounts.ts';
import type { Logger } from '../observability/log.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Runs traders of the house in the development markets; null for none. */
  readonly demo: DemoOptions | null;
  /** The journal or the engine failed: the process has to end with a failure. */
  readonly onFatal: (error: unknown) => void;
}

/** Where the journal lies. */
export function journalFolder({ dataDir }: Config): string {
  return join(dataDir, 'journal');
}
