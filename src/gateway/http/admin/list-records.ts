import { Type } from 'typebox';
import {
  type AdminRecordPorts,
  findUser,
  listAgents,
  listAudit,
  listUsers,
} from '../../../application/admin/admin-records.ts';
import { listAccountBalances } from '../../../application/futures/list-account-balances.ts';
import type { Exchange } from '../../../application/ports/exchange.ts';
import type { Address } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import { referralAdminErrors } from '../../errors/referral-errors.ts';
import { administrator, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { answerPage, listSchema, pageQuery, readPage } from '../referral/referral-schemas.ts';
import { addressInput, strictObject } from '../schema.ts';
import { engineUnavailableIsDatabaseError } from '../spot/unavailable-rows.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { agentSchema, auditSchema, userSchema, userWithBalancesSchema } from './record-schemas.ts';

const addressLength = 42;
const tag = 'Administration';

export interface AdminRecordRoutePorts extends AdminRecordPorts {
  readonly exchange: Exchange;
}

/** Read endpoints for administrators: accounts, agents and the audit of administration. */
export function adminRecordRoutes(ports: AdminRecordRoutePorts): SurfaceRoutes {
  return {
    surface: plainSurface,
    endpoints: [
      listUsersEndpoint(ports),
      getUserEndpoint(ports),
      listAgentsEndpoint(ports),
      listAuditEndpoint(ports),
    ],
  };
}

function listUsersEndpoint(ports: AdminRecordPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/admin/users',
    tag,
    summary: 'List accounts',
    description: 'Accounts with their administrative settings, newest first.',
    weight: 0,
    auth: administrator,
    query: strictObject({
      q: Type.Optional(
        Type.String({
          maxLength: addressLength,
          description: 'A part of the address or name, in any letter case',
          examples: ['79c8'],
        }),
      ),
      ...pageQuery,
    }),
    answer: listSchema(userSchema, 'Number of matching accounts'),
    handle: async ({ query }) => {
      const page = readPage(query);
      return answerPage(await listUsers(ports, { ...page, search: query.q ?? '' }), page);
    },
  });
}

function getUserEndpoint(ports: AdminRecordRoutePorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/admin/users/:address',
    tag,
    summary: 'Get an account',
    description: 'One account with its administrative settings and its balances.',
    weight: 0,
    auth: administrator,
    namedRows: [referralAdminErrors.userNotFound],
    params: strictObject({ address: addressInput('The account') }),
    answer: userWithBalancesSchema,
    errorRows: engineUnavailableIsDatabaseError,
    handle: async ({ params }) => {
      // The schema accepts only addresses.
      const address = params.address.toLowerCase() as Address;
      const user = await findUser(ports, address);
      if (user === null) return namedError(referralAdminErrors.userNotFound);
      const balances = (await listAccountBalances(ports.exchange, address)).map(
        ({ market, token, available, locked }) => ({ market, token, available, locked }),
      );
      return done({ ...user, balances });
    },
  });
}

function listAgentsEndpoint(ports: AdminRecordPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/admin/referral/agents',
    tag,
    summary: 'List agents',
    description: 'Accounts that have a referral code, or terms set in advance, newest first.',
    weight: 0,
    auth: administrator,
    query: strictObject(pageQuery),
    answer: listSchema(agentSchema, 'Number of agents'),
    handle: async ({ query }) => {
      const page = readPage(query);
      return answerPage(await listAgents(ports, page), page);
    },
  });
}

function listAuditEndpoint(ports: AdminRecordPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/admin/audit',
    tag,
    summary: 'List administrative actions',
    description:
      'Every administrative write, newest first. Writes through the journal appear here once ' +
      'the database has caught up.',
    weight: 0,
    auth: administrator,
    query: strictObject({
      action: Type.Optional(
        Type.String({
          pattern: '^[a-z_]{1,40}$',
          description: 'Only this action',
          examples: ['set_index_price'],
        }),
      ),
      ...pageQuery,
    }),
    answer: listSchema(auditSchema, 'Number of rows'),
    handle: async ({ query }) => {
      const page = readPage(query);
      return answerPage(await listAudit(ports, { ...page, action: query.action ?? null }), page);
    },
  });
}
