import { type Static, Type } from 'typebox';
import {
  type EventEnd,
  resolveEvent,
  retryEvent,
  type ShownEvent,
  showEvent,
  type WaitingEventPorts,
} from '../../../application/admin/waiting-events.ts';
import type { ChainEvent } from '../../../application/ports/chain-ledger.ts';
import type { WaitingEvent } from '../../../application/ports/waiting-events.ts';
import { parseDecimalValue } from '../../../domain/decimal.ts';
import type { Address } from '../../../domain/identifiers.ts';
import { done, refused } from '../../../domain/outcome.ts';
import { waitingEventRows } from '../../errors/chain-errors.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import { administrator, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { addressText, decimalInput, nullable, oneOf, strictObject } from '../schema.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { okSchema, plainTextInput, tokenInput } from './admin-schemas.ts';

const path = '/api/v1/admin/chain/parked';
const listLimit = 100;
const idPattern = '^(deposit-)?[1-9][0-9]{0,17}$';

const contracts = ['spotVault', 'rewardRouter'] as const;
const types = [
  'rewardSettled',
  'rewardRedeemed',
  'vaultDeposited',
  'vaultReleased',
  'vaultReleaseQueued',
  'vaultQueuedPaid',
  'vaultQueuedEnded',
] as const;

const eventId = Type.String({
  pattern: idPattern,
  description: 'The id of the event',
  examples: ['7'],
});

const eventFields = {
  id: Type.String({
    description: 'The id; a deposit that is counted and waits to be credited has deposit-<number>',
    examples: ['7'],
  }),
  contract: oneOf(contracts, { description: 'The contract of the event' }),
  account: addressText('The account whose later events also wait'),
  type: oneOf(types, { description: 'The event as on the chain' }),
  block: nullable(
    Type.Integer({
      description: 'Its position on the chain; null if the chain no longer has its block',
      examples: [19],
    }),
  ),
  tx_hash: Type.String({ description: 'Its transaction', examples: [`0x${'ab'.repeat(32)}`] }),
  error: Type.String({ description: 'Why it waits', examples: ['release_not_signed'] }),
};
const eventSchema = strictObject(eventFields);

const rawText = Type.String({ description: "In the token's smallest unit", examples: ['1000'] });

const shownSchema = strictObject({
  ...eventFields,
  event: Type.Record(Type.String(), Type.String(), {
    description: 'The fields of the log, each value as text',
    examples: [{ token: `0x${'c3'.repeat(20)}`, rawAmount: '1000', nonce: '3' }],
  }),
  row: nullable(
    strictObject(
      {
        table: oneOf(['withdrawals', 'spot_deposits'], {
          description: 'The table to which it belongs',
        }),
        id: Type.String({ description: 'Its id or number there', examples: ['12'] }),
        status: Type.String({ description: 'Its status', examples: ['expired'] }),
        token_address: addressText("Its token's contract"),
        raw_amount: rawText,
      },
      {
        description: 'The withdrawal or deposit to which the event belongs; null if there is none',
      },
    ),
  ),
  proof: strictObject(
    {
      counted_hash: nullable(
        Type.String({
          description: 'The hash of its block when it was counted',
          examples: [`0x${'1f'.repeat(32)}`],
        }),
      ),
      present_hash: nullable(
        Type.String({
          description:
            'The hash of the block with that number now; null if there is none or the chain does ' +
            'not respond',
          examples: [`0x${'1f'.repeat(32)}`],
        }),
      ),
      is_included: nullable(
        Type.Boolean({
          description: 'Whether that block contains the event, proven as for counted events',
          examples: [true],
        }),
      ),
    },
    { description: 'The block of the event when it was counted, and now' },
  ),
  chain: nullable(
    strictObject(
      {
        head: Type.Integer({ description: 'The newest block', examples: [88] }),
        next_number: nullable(
          Type.Integer({
            description: "The contract's next nonce or deposit number of the account",
            examples: [4],
          }),
        ),
        token_symbol: nullable(
          Type.String({ description: 'The symbol that the token reports', examples: ['USDT'] }),
        ),
        token_decimals: nullable(
          Type.Integer({ description: "The token's decimals", examples: [6] }),
        ),
      },
      { description: 'The state of the chain now; null while it does not respond' },
    ),
  ),
});

const resolutionBody = strictObject({
  action: oneOf(['retry', 'credit_as', 'return', 'write_off', 'link'], {
    description:
      'retry: apply what can be applied now; credit_as: credit a deposit as another token; ' +
      'return: send a deposit back by a withdrawal in review; write_off: nothing is booked ' +
      'and the exchange bears the loss; link: a release is the payment of withdrawal_id or, ' +
      "without it, a transfer of the exchange's own money",
  }),
  reason: Type.Optional(
    plainTextInput(500, 'The reason; not required for retry', 'settled with its owner'),
  ),
  token: Type.Optional(tokenInput('credit_as: the token to credit', 'USDT')),
  amount: Type.Optional(decimalInput('credit_as: the amount, at most that of the event', '12.5')),
  withdrawal_id: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
      description: 'link: the withdrawal',
      examples: ['6f1c3c3e-7a2b-4f0e-9a53-2c1d8f1f0b11'],
    }),
  ),
  approvals: Type.Optional(
    Type.Array(
      Type.String({
        pattern: '^0x[0-9a-fA-F]{130}$',
        description: 'A signature over the text',
        examples: [`0x${'5d'.repeat(65)}`],
      }),
      { maxItems: 10, description: 'Signatures of the approvers' },
    ),
  ),
});

export function waitingEventRoutes(ports: WaitingEventPorts): SurfaceRoutes {
  return {
    surface: plainSurface,
    endpoints: [listWaitingEvents(ports), getWaitingEvent(ports), resolveWaitingEvent(ports)],
  };
}

function listWaitingEvents({ events }: WaitingEventPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path,
    tag: 'Administration',
    summary: 'List waiting chain events',
    description:
      'Events that contradict what is known, oldest first, then deposits that cannot be ' +
      'credited or whose block the chain no longer has, at most 100; `after` the last id ' +
      'come the next.',
    weight: 0,
    auth: administrator,
    query: strictObject({
      contract: Type.Optional(oneOf(contracts, { description: 'Only events of this contract' })),
      kind: Type.Optional(oneOf(types, { description: 'Only events of this type' })),
      account: Type.Optional(
        Type.String({
          pattern: '^0x[0-9a-fA-F]{40}$',
          description: 'Only this account',
          examples: [`0x${'a1'.repeat(20)}`],
        }),
      ),
      after: Type.Optional(eventId),
    }),
    answer: strictObject({ items: Type.Array(eventSchema, { description: 'Events that wait' }) }),
    handle: async ({ query }) => {
      const found = await events.list({
        contract: query.contract ?? null,
        type: query.kind ?? null,
        account: (query.account?.toLowerCase() ?? null) as Address | null,
        after: query.after ?? null,
        limit: listLimit,
      });
      return done({ items: found.map(viewEvent) });
    },
  });
}

function viewEvent({ id, contract, account, block, event, error }: WaitingEvent) {
  return {
    id,
    contract,
    account,
    block,
    error,
    type: event.type as (typeof types)[number],
    tx_hash: event.transactionHash,
  };
}

function getWaitingEvent(ports: WaitingEventPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: `${path}/:id`,
    tag: 'Administration',
    summary: 'Get a waiting chain event',
    description:
      'The event, the row where it belongs, whether its block still has it, and what the ' +
      'chain shows now; chain is null while the chain does not respond.',
    weight: 0,
    auth: administrator,
    namedRows: [waitingEventRows.event_not_waiting],
    params: strictObject({ id: eventId }),
    answer: shownSchema,
    handle: async ({ params }) => {
      const shown = await showEvent(ports, params.id);
      if (shown === null) return namedError(waitingEventRows.event_not_waiting);
      return done(viewShown(shown));
    },
  });
}

function viewShown({ event, row, evidence }: ShownEvent) {
  return {
    ...viewEvent(event),
    event: fieldsOf(event.event),
    row:
      row === null
        ? null
        : {
            table: row.table,
            id: row.id,
            status: row.status,
            token_address: row.tokenAddress,
            raw_amount: String(row.rawAmount),
          },
    proof: {
      counted_hash: event.blockHash,
      present_hash: evidence?.blockHash ?? null,
      is_included: evidence?.isIncluded ?? null,
    },
    chain:
      evidence === null
        ? null
        : {
            head: evidence.head,
            next_number: evidence.nextNumber,
            token_symbol: evidence.token?.symbol ?? null,
            token_decimals: evidence.token?.decimals ?? null,
          },
  };
}

const shownAlready = new Set(['type', 'account', 'transactionHash', 'logIndex']);

/** What the log says beyond what every event shows. */
function fieldsOf(event: ChainEvent): Record<string, string> {
  const shown = Object.entries(event).filter(([name]) => !shownAlready.has(name));
  return Object.fromEntries(shown.map(([name, value]) => [name, String(value)]));
}

function resolveWaitingEvent(ports: WaitingEventPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: `${path}/:id/resolve`,
    tag: 'Administration',
    summary: 'Resolve a waiting chain event',
    description:
      'retry applies what can be applied now, as every counted block also does. For every ' +
      'other action, if money is real, two different wallets of APPROVERS other than the ' +
      'account must have signed (personal_sign) four lines: `openbourse: resolve event <id> ' +
      'on chain <chain id>`, `Transaction: <tx_hash>`, `Action: ` with `credit_as <amount> ' +
      '<token>`, `return`, `write_off`, `link <withdrawal_id>` or `link move`, and `Reason: ' +
      '<reason>`.',
    weight: 0,
    auth: administrator,
    namedRows: [...new Set(Object.values(waitingEventRows))],
    params: strictObject({ id: eventId }),
    body: resolutionBody,
    answer: okSchema,
    handle: async ({ params: { id }, body }) => {
      if (body.action === 'retry') {
        const refusal = await retryEvent(ports, id);
        return refusal === null ? done({ ok: true }) : namedError(waitingEventRows[refusal]);
      }
      const { reason } = body;
      if (reason === undefined) {
        return refused({ reason: 'parameter_invalid', detail: 'reason: is missing' });
      }
      const end = endOf(body);
      if (typeof end === 'string') return refused({ reason: 'parameter_invalid', detail: end });
      const approvals = (body.approvals ?? []) as `0x${string}`[];
      const refusal = await resolveEvent(ports, { id, end, reason, approvals });
      return refusal === null ? done({ ok: true }) : namedError(waitingEventRows[refusal]);
    },
  });
}

/** What the body asks for, or what is wrong with it. */
function endOf(body: Static<typeof resolutionBody>): EventEnd | string {
  switch (body.action) {
    case 'credit_as': {
      if (body.token === undefined) return 'token: is missing';
      const amount = body.amount === undefined ? null : parseDecimalValue(body.amount);
      if (amount === null) return 'amount: not a plain decimal number';
      return { action: 'credit_as', token: body.token, amount };
    }
    case 'link':
      return { action: 'link', withdrawalId: body.withdrawal_id ?? null };
    case 'return':
      return { action: 'return' };
    default:
      return { action: 'write_off' };
  }
}
