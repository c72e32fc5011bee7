import { type AdminWritePorts } from '../application/admin/admin-write.ts';
import { type Address } from '../domain/identifiers.ts';

export interface DemoToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Orders and reads go to `url` over HTTP; only test money is credited in this process. */
export interface DemoPorts extends AdminWritePorts {
  /** The address of the service, for example http://127.0.0.1:8080. */
  readonly url: string;
  /** Signs in a demo account, which has no wallet that could. */
  readonly issueToken: (address: Address) => Promise<DemoToken>;
  /** Whether the exchange accepts orders and its database has caught up. */
  readonly isReady: () => Promise<boolean>;
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}
