import { Type } from 'typebox';
import { type AdminMoney, loadSolvency } from '../../../application/admin/admin-money.ts';
import type { SolvencyPorts } from '../../../application/upkeep/check-solvency.ts';
import type { Address } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import { claimErrors } from '../../errors/claim-errors.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import { administrator, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { answerPage, listSchema, pageQuery, readPage } from '../referral/referral-schemas.ts';
import {
  addressInput,
  addressText,
  decimalText,
  nullable,
  oneOf,
  strictObject,
  timeText,
} from '../schema.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';

const tag = 'Administration';
const token = Type.String({ description: 'The token', examples: ['USDT'] });
const transaction = Type.String({ examples: [`0x${'ab'.repeat(32)}`] });
const account = Type.Optional(addressInput('Only this account'));
const statuses = [
  'opening',
  'pending',
  'review',
  'approved',
  'refused',
  'reserved',
  'signed',
  'queued',
  'completed',
  'returned',
  'expired',
  'canceled',
  'abandoned',
] as const;

export interface AdminMoneyRoutePorts extends SolvencyPorts {
  readonly adminMoney: AdminMoney;
}

/** What administrators read about money in and out of all accounts. */
export function adminMoneyRoutes(ports: AdminMoneyRoutePorts): SurfaceRoutes {
  return {
    surface: plainSurface,
    endpoints: [listDeposits(ports), listWithdrawals(ports), getSolvency(ports)],
  };
}

const depositSchema = strictObject(
  {
    id: Type.String({ description: 'The id of the row', examples: ['42'] }),
    account: addressText('The account that is credited'),
    token: nullable(token),
    token_address: addressText('The token as deposited'),
    amount: nullable(decimalText('The credited amount; null until that is decided', '25')),
    raw_amount: Type.String({
      description: "In the token's smallest unit",
      examples: ['25000000'],
    }),
    tx_hash: { ...transaction, description: 'Its transaction' },
    block: nullable(
      Type.Integer({
        description: 'Its block; null if the chain no longer has it',
        examples: [19],
      }),
    ),
    state: oneOf(['waiting', 'stuck', 'credited'] as const, {
      description: 'stuck: the last attempt to credit it failed',
    }),
    reason: nullable(Type.String({ description: 'Why it is stuck', examples: ['unknown_token'] })),
    seen_at: timeText('When its block was counted'),
    credited_at: nullable(timeText('When it was credited')),
  },
  { title: 'AnyDeposit' },
);

function listDeposits({ adminMoney }: AdminMoneyRoutePorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/admin/wallet/deposits',
    tag,
    summary: 'List deposits of all accounts',
    description: 'Deposits in counted blocks, newest first.',
    weight: 0,
    auth: administrator,
    query: strictObject({ account, ...pageQuery }),
    answer: listSchema(depositSchema, 'Number of matching deposits'),
    handle: async ({ query }) => {
      const page = readPage(query);
      return answerPage(
        await adminMoney.listDeposits({ ...page, account: readAccount(query.account) }),
        page,
      );
    },
  });
}

const withdrawalSchema = strictObject(
  {
    id: Type.String({ description: 'The id of the withdrawal', examples: ['42'] }),
    wallet: oneOf(['spot', 'perp'] as const, { description: 'The wallet from which it is paid' }),
    account: addressText('The account'),
    token,
    amount: decimalText('The amount', '25'),
    status: oneOf<string>(statuses, { description: 'As stored' }),
    nonce: nullable(Type.Integer({ description: "The vault's nonce", examples: [3] })),
    deadline: nullable(
      Type.Integer({
        description: 'When its signature expires, Unix seconds',
        examples: [1767574800],
      }),
    ),
    tx_hash: nullable({ ...transaction, description: 'The transaction that paid it' }),
    created_at: timeText('When it was requested'),
    finished_at: nullable(timeText('When it ended')),
  },
  { title: 'AnyWithdrawal' },
);

function listWithdrawals({ adminMoney }: AdminMoneyRoutePorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/admin/wallet/withdrawals',
    tag,
    summary: 'List withdrawals of all accounts',
    description: 'Withdrawals of both wallets in every status, newest first.',
    weight: 0,
    auth: administrator,
    query: strictObject({
      account,
      status: Type.Optional(oneOf(statuses, { description: 'Only in this status' })),
      ...pageQuery,
    }),
    answer: listSchema(withdrawalSchema, 'Number of matching withdrawals'),
    handle: async ({ query }) => {
      const page = readPage(query);
      const filter = {
        ...page,
        account: readAccount(query.account),
        status: query.status ?? null,
      };
      return answerPage(await adminMoney.listWithdrawals(filter), page);
    },
  });
}

function getSolvency(ports: AdminMoneyRoutePorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/admin/solvency',
    tag,
    summary: 'Get holdings and liabilities',
    description:
      'What the contracts hold of each token and what the exchange owes, both at the last ' +
      'counted block, checked for this response. While money moves (is_still is false), what ' +
      'was credited or paid in between may be counted twice or not at all.',
    weight: 0,
    auth: administrator,
    errorRows: { chain_failed: claimErrors.chainError },
    reasons: ['chain_failed'],
    answer: strictObject({
      is_still: Type.Boolean({ description: 'Nothing moved during the check', examples: [true] }),
      tokens: Type.Array(
        strictObject({
          token,
          held: decimalText('What the vault holds', '1000'),
          owed: decimalText('The sum of accounts, withdrawals, fees and funds', '990'),
          unbacked: decimalText(
            'The part of what is owed that comes from test credits and needs no backing',
            '0',
          ),
          is_short: Type.Boolean({ description: 'Less is held than is owed', examples: [false] }),
        }),
        { description: 'The tokens of the vault' },
      ),
      rewards: strictObject(
        {
          held: decimalText('What the router holds, in USDT', '500'),
          owed: decimalText('What is settled and not yet claimed', '480'),
          is_short: Type.Boolean({ description: 'Less is held than is owed', examples: [false] }),
        },
        { description: 'The commission program' },
      ),
    }),
    handle: async () => {
      const report = await loadSolvency(ports);
      return report === null ? namedError(claimErrors.chainError) : done(report);
    },
  });
}

// The schema accepts only addresses.
function readAccount(text: string | undefined): Address | null {
  return text === undefined ? null : (text.toLowerCase() as Address);
}
