import { Type } from 'typebox';
import {
  ignoreEvent,
  retryEvent,
  type WaitingEventPorts,
} from '../../../application/admin/waiting-events.ts';
import type { Address } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import { waitingEventRows } from '../../errors/chain-errors.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import { administrator, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { oneOf, strictObject } from '../schema.ts';
import type { SurfaceRoutes } from '../server.ts';
import { okSchema, plainTextInput } from './admin-schemas.ts';

const path = '/api/v1/admin/chain/parked';
const listLimit = 100;
const idPattern = '^[1-9][0-9]{0,17}$';

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

const eventId = Type.String({ pattern: idPattern, description: 'Of the event', examples: ['7'] });

const eventSchema = strictObject({
  id: Type.String({ description: 'Names it', examples: ['7'] }),
  contract: oneOf(contracts, { description: 'Whose event it is' }),
  account: Type.String({
    description: 'Whose later events wait too',
    examples: [`0x${'a1'.repeat(20)}`],
  }),
  type: oneOf(types, { description: 'What the chain says' }),
  block: Type.Integer({ description: 'Where it stands', examples: [19] }),
  tx_hash: Type.String({ description: 'Its transaction', examples: [`0x${'ab'.repeat(32)}`] }),
  error: Type.String({ description: 'Why it waits', examples: ['release_not_signed'] }),
});

export function waitingEventRoutes(ports: WaitingEventPorts): SurfaceRoutes {
  return {
    surface: plainSurface,
    endpoints: [listWaitingEvents(ports), retryWaitingEvent(ports), ignoreWaitingEvent(ports)],
  };
}

function listWaitingEvents({ events }: WaitingEventPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path,
    tag: 'Administration',
    summary: 'List events of the chain that wait',
    description:
      'Events that contradict what is known, oldest first, at most 100; `after` the last id come ' +
      'the next.',
    weight: 0,
    auth: administrator,
    query: strictObject({
      contract: Type.Optional(oneOf(contracts, { description: 'Only of this contract' })),
      kind: Type.Optional(oneOf(types, { description: 'Only of this type' })),
      account: Type.Optional(
        Type.String({
          pattern: '^0x[0-9a-fA-F]{40}$',
          description: 'Only of this account',
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
      const items = found.map(({ id, contract, account, block, event, error }) => ({
        id,
        contract,
        account,
        block,
        error,
        type: event.type as (typeof types)[number],
        tx_hash: event.transactionHash,
      }));
      return done({ items });
    },
  });
}

function retryWaitingEvent(ports: WaitingEventPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: `${path}/:id/retry`,
    tag: 'Administration',
    summary: 'Try an event of the chain again',
    description:
      'Applies what can be applied by now, as every counted block does too. Where the event still ' +
      'contradicts what is known it goes on waiting.',
    weight: 0,
    auth: administrator,
    namedRows: [waitingEventRows.event_not_waiting, waitingEventRows.event_still_waits],
    params: strictObject({ id: eventId }),
    answer: okSchema,
    handle: async ({ params }) => {
      const refusal = await retryEvent(ports, params.id);
      return refusal === null ? done({ ok: true }) : namedError(waitingEventRows[refusal]);
    },
  });
}

function ignoreWaitingEvent(ports: WaitingEventPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: `${path}/:id/ignore`,
    tag: 'Administration',
    summary: 'Ignore an event of the chain',
    description:
      'It holds back nothing any more; nothing is booked for it. Where money is real, two ' +
      'different wallets of APPROVERS must have signed (personal_sign) the text `openbourse: ' +
      'ignore event <id> on chain <chain id>`, a line break and `Reason: <reason>`.',
    weight: 0,
    auth: administrator,
    namedRows: [
      waitingEventRows.event_not_waiting,
      waitingEventRows.event_is_deposit,
      waitingEventRows.approvals_required,
    ],
    params: strictObject({ id: eventId }),
    body: strictObject({
      reason: plainTextInput(500, 'Why', 'settled with its owner'),
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
    }),
    answer: okSchema,
    handle: async ({ params, body }) => {
      const approvals = (body.approvals ?? []) as `0x${string}`[];
      const refusal = await ignoreEvent(ports, { id: params.id, reason: body.reason, approvals });
      return refusal === null ? done({ ok: true }) : namedError(waitingEventRows[refusal]);
    },
  });
}
