import { Type } from 'typebox';
import { clearHalt, type HaltPorts, raiseHalt } from '../../../application/admin/chain-halts.ts';
import { formatTime } from '../../../application/format-time.ts';
import type { SignerRole } from '../../../application/ports/chain-halts.ts';
import { done } from '../../../domain/outcome.ts';
import { haltRows } from '../../errors/chain-errors.ts';
import { administrator, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { nullable, oneOf, strictObject, timeText } from '../schema.ts';
import { okSchema, pauseContractInput, plainTextInput } from './admin-schemas.ts';

const reasonLengthMax = 500;
const approvalsMax = 10;

const roles: readonly SignerRole[] = ['settler', 'reward', 'vault'];
const roleText = (description: string) => oneOf(roles, { description, examples: ['vault'] });

const haltSchema = strictObject(
  {
    id: Type.String({ description: 'The id with which it is cleared', examples: ['1'] }),
    kind: Type.String({ description: 'Why signing is halted', examples: ['books_differ'] }),
    role: nullable(roleText('The signer that is halted; null: all of them')),
    detail: Type.String({ description: 'Details', examples: ['the vault has used nonce 3'] }),
    raised_at: timeText('When it was raised'),
    raised_by: Type.String({ description: 'Who raised it', examples: ['service'] }),
  },
  { title: 'ChainHalt' },
);

/** Lists what keeps the service from signing. */
export function listHalts(ports: HaltPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/admin/chain/halts',
    tag: 'Administration',
    summary: 'List open halts of signing',
    description: 'Halts that administrators have to clear, oldest first.',
    weight: 0,
    auth: administrator,
    answer: strictObject({ items: Type.Array(haltSchema, { description: 'Open halts' }) }),
    handle: async () => {
      const halts = await ports.halts.listOpen();
      const items = halts.map(({ id, kind, role = null, detail, raisedAt, raisedBy }) => ({
        id,
        kind,
        role,
        detail,
        raised_by: raisedBy,
        raised_at: formatTime(raisedAt.getTime()),
      }));
      return done({ items });
    },
  });
}

/** Halts signing manually. */
export function raiseManualHalt(ports: HaltPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/admin/chain/halts',
    tag: 'Administration',
    summary: 'Halt signing',
    description:
      'No claim or withdrawal is signed any more, in any process: claims return ' +
      'SIGNATURE_ERROR, withdrawals `signer unavailable`, and a confirmation leaves its ' +
      'withdrawal pending. What is already signed stays valid, unless `pause_contract` is ' +
      'true: then a guardian also pauses the contracts that would accept it, which only the ' +
      'council can undo.',
    weight: 0,
    auth: administrator,
    namedRows: [haltRows.no_guardian, haltRows.halt_open],
    body: strictObject({
      reason: plainTextInput(reasonLengthMax, 'Why', 'a drill'),
      role: Type.Optional(roleText('Halts this signer only: settlements, claims or withdrawals')),
      pause_contract: pauseContractInput,
    }),
    answer: okSchema,
    handle: async ({ body }) => {
      const { reason: detail, role = null, pause_contract: isContractPaused = false } = body;
      const refusal = await raiseHalt(ports, { detail, role, isContractPaused });
      return refusal === null ? done({ ok: true }) : namedError(haltRows[refusal]);
    },
  });
}

/** Ends a halt. */
export function clearOpenHalt(ports: HaltPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/admin/chain/halts/:id/clear',
    tag: 'Administration',
    summary: 'Clear a halt of signing',
    description:
      'If money is real, two different wallets of APPROVERS must have signed (personal_sign) ' +
      'the text `openbourse: clear halt <id> (<kind>) on chain <chain id>`, a line break and ' +
      '`Reason: <reason>`.',
    weight: 0,
    auth: administrator,
    namedRows: [haltRows.halt_not_found, haltRows.approvals_required],
    params: strictObject({
      id: Type.String({
        pattern: '^[1-9][0-9]{0,17}$',
        description: 'The id of the halt',
        examples: ['1'],
      }),
    }),
    body: strictObject({
      reason: plainTextInput(reasonLengthMax, 'Why it can be cleared', 'compared with two nodes'),
      approvals: Type.Optional(
        Type.Array(
          Type.String({
            pattern: '^0x[0-9a-fA-F]{130}$',
            description: 'A signature over the text',
            examples: [`0x${'5d'.repeat(65)}`],
          }),
          { maxItems: approvalsMax, description: 'Signatures of the approvers' },
        ),
      ),
    }),
    answer: okSchema,
    handle: async ({ params, body }) => {
      const approvals = (body.approvals ?? []) as `0x${string}`[];
      const refusal = await clearHalt(ports, { id: params.id, reason: body.reason, approvals });
      return refusal === null ? done({ ok: true }) : namedError(haltRows[refusal]);
    },
  });
}
