import { randomBytes } from 'node:crypto';
import type { Address } from '../../src/domain/identifiers.ts';
import { referralRoutes } from '../../src/gateway/http/referral/routes.ts';
import { expectOk, nextAddress } from './spot-fixtures.ts';
import { type Reply, SpotService } from './spot-service.ts';

/** Spot and the referral program over HTTP. */
export async function startReferralService(): Promise<SpotService> {
  return SpotService.start({
    routes: ({ exchange, barrier, services, now }) => [
      referralRoutes({
        exchange,
        barrier,
        now,
        referral: services.referral,
        referralReader: services.referralReader,
        randomBytes: (count) => randomBytes(count),
      }),
    ],
  });
}

/** Calls of the referral program's endpoints, and trades that earn something. */
export class ReferralCaller {
  readonly service: SpotService;

  constructor(service: SpotService) {
    this.service = service;
  }

  async get(as: Address, path: string, query: Record<string, string> = {}): Promise<Reply> {
    return this.service.call({ path: `/api/v1/referral/${path}`, as, query });
  }

  async post(as: Address, path: string, body: unknown = {}): Promise<Reply> {
    return this.service.call({ method: 'POST', path: `/api/v1/referral/${path}`, as, body });
  }

  async put(as: Address, path: string, body: unknown): Promise<Reply> {
    return this.service.call({ method: 'PUT', path: `/api/v1/referral/${path}`, as, body });
  }

  async setAgent(wallet: Address, body: unknown): Promise<Reply> {
    const path = `/api/v1/admin/referral/agents/${wallet}`;
    return this.service.call({ method: 'PUT', path, isAdmin: true, body });
  }

  async createCode(account: Address, code: string): Promise<void> {
    await expectOk(this.post(account, 'codes', { code }));
  }

  async bind(trader: Address, code: string): Promise<void> {
    await expectOk(this.post(trader, 'bind', { code }));
  }

  /** A new account with its own code. */
  async nextAgent(): Promise<Agent> {
    const agent = { address: nextAddress(), code: nextCode() };
    await this.createCode(agent.address, agent.code);
    return agent;
  }

  /** A new account that is bound to the agent. */
  async nextTrader(of: Agent): Promise<Address> {
    const trader = nextAddress();
    await this.bind(trader, of.code);
    return trader;
  }

  async status(of: Address): Promise<unknown> {
    return expectOk(this.get(of, 'status'));
  }

  async logs(of: Address, query: Record<string, string> = {}): Promise<LogPage> {
    return (await expectOk(this.get(of, 'logs', query))) as LogPage;
  }
}

export interface Agent {
  readonly address: Address;
  readonly code: string;
}

export interface LogPage {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
}

let codes = 0;

/** A code that no test of the file used before. */
export function nextCode(): string {
  codes += 1;
  return `CODE_${codes}`;
}
