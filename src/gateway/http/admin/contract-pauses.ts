import { Type } from 'typebox';
import type {
  ContractPauseState,
  ContractPauseStore,
  PausableContract,
} from '../../../application/ports/contract-pauses.ts';
import { done } from '../../../domain/outcome.ts';
import { administrator, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { nullable, oneOf, strictObject, timeText } from '../schema.ts';

const listMax = 100;
const contracts: readonly PausableContract[] = ['spotVault', 'rewardRouter', 'referralRebate'];
const states: readonly ContractPauseState[] = ['requested', 'sent', 'paused', 'canceled'];

const pauseSchema = strictObject(
  {
    id: Type.String({ description: 'The id', examples: ['3'] }),
    contract: oneOf(contracts, { description: 'The contract to pause' }),
    halt_id: nullable(
      Type.String({
        description: 'The halt that requested it; null: the switch for all withdrawals',
        examples: ['1'],
      }),
    ),
    reason: nullable(Type.String({ description: 'Why', examples: ['a key was stolen'] })),
    requested_by: Type.String({ description: 'Who requested it', examples: ['admin_api_key'] }),
    requested_at: timeText('Since when'),
    state: oneOf(states, {
      description:
        'paused: a counted block shows the contract paused; canceled: withdrawn before that',
    }),
    tx_hash: nullable(
      Type.String({
        description: "The guardian's last transaction",
        examples: [`0x${'5d'.repeat(32)}`],
      }),
    ),
  },
  { title: 'ContractPause' },
);

/** Lists how far the pauses of contracts are. */
export function listContractPauses({
  contractPauses,
}: {
  readonly contractPauses: ContractPauseStore;
}): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/admin/chain/contract-pauses',
    tag: 'Administration',
    summary: 'List pauses of contracts by the guardian',
    description:
      'The last 100, newest first. They are requested by `pause_contract` with a halt or ' +
      'with the switch for all withdrawals, and are sent again until a counted block shows ' +
      'the contract paused.',
    weight: 0,
    auth: administrator,
    answer: strictObject({ items: Type.Array(pauseSchema, { description: 'Requested pauses' }) }),
    handle: async () => {
      const pauses = await contractPauses.listLast(listMax);
      return done({
        items: pauses.map(({ id, contract, haltId, reason, ...pause }) => ({
          id,
          contract,
          halt_id: haltId,
          reason,
          requested_by: pause.requestedBy,
          requested_at: pause.requestedAt.toISOString(),
          state: pause.state,
          tx_hash: pause.transaction,
        })),
      });
    },
  });
}
