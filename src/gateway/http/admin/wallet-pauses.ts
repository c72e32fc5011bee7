import { Type } from 'typebox';
import type { WalletPause, WalletPauseStore } from '../../../application/wallet/pause-ports.ts';
import { transferToken } from '../../../application/wallet/transfer-funds.ts';
import { done, refused } from '../../../domain/outcome.ts';
import { chainAdminErrors } from '../../errors/chain-errors.ts';
import { administrator, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { nullable, oneOf, strictObject, timeText } from '../schema.ts';
import { okSchema, plainTextInput } from './admin-schemas.ts';

const path = '/api/v1/admin/withdrawals/pauses';
const scopes = ['asset', 'account', 'deposits'] as const;
const keyHolder = 'admin_api_key';
const addressPattern = /^0x[0-9a-fA-F]{40}$/;
const pauseId = Type.String({
  pattern: '^[1-9][0-9]{0,17}$',
  description: 'The id of the pause',
  examples: ['3'],
});

const pauseSchema = strictObject(
  {
    id: Type.String({ description: 'The id', examples: ['3'] }),
    scope: oneOf(scopes, { description: 'What is paused' }),
    subject: nullable(
      Type.String({ description: 'The asset or the account; null for deposits', examples: ['DF'] }),
    ),
    reason: Type.String({ description: 'Why', examples: ['the token is being migrated'] }),
    raised_by: Type.String({ description: 'Who paused it', examples: ['admin_api_key'] }),
    raised_at: timeText('Since when'),
  },
  { title: 'WalletPause' },
);

interface PausePorts {
  readonly pauses: WalletPauseStore;
}

interface RaisePorts extends PausePorts {
  /** By the assets that can be withdrawn from the spot wallet. */
  readonly withdrawMinimums: ReadonlyMap<string, unknown>;
}

export function listWalletPauses({ pauses }: PausePorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path,
    tag: 'Administration',
    summary: 'List pauses of assets, accounts and deposits',
    description: 'Oldest first; the switch for all withdrawals is separate.',
    weight: 0,
    auth: administrator,
    answer: strictObject({ items: Type.Array(pauseSchema, { description: 'What is paused' }) }),
    handle: async () => done({ items: (await pauses.listOpen()).map(viewPause) }),
  });
}

export function raiseWalletPause({ pauses, withdrawMinimums }: RaisePorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path,
    tag: 'Administration',
    summary: "Pause an asset, an account's withdrawals, or deposits",
    description:
      'asset and account stop withdrawal requests as the switch for all withdrawals does; ' +
      'confirm, cancel and history continue. deposits: what the vault receives is counted, ' +
      'and credited once the pause ends.',
    weight: 0,
    auth: administrator,
    namedRows: [chainAdminErrors.pauseOn],
    body: strictObject({
      scope: oneOf(scopes, { description: 'What to pause' }),
      subject: Type.Optional(
        plainTextInput(64, 'The symbol of the asset, or the address of the account', 'DF'),
      ),
      reason: plainTextInput(500, 'Why', 'the token is being migrated'),
    }),
    answer: pauseSchema,
    handle: async ({ body: { scope, subject, reason } }) => {
      const isNamed = subject !== undefined;
      if (isNamed === (scope === 'deposits')) {
        const detail = isNamed ? 'subject: not for deposits' : 'subject: is missing';
        return refused({ reason: 'parameter_invalid', detail });
      }
      if (scope === 'account' && !addressPattern.test(subject ?? '')) {
        return refused({ reason: 'parameter_invalid', detail: 'subject: not an address' });
      }
      // A pause of a name that no withdrawal has would stop nothing, and look as if it did.
      if (scope === 'asset' && subject !== transferToken && !withdrawMinimums.has(subject ?? '')) {
        return refused({
          reason: 'parameter_invalid',
          detail: 'subject: not an asset that can be withdrawn',
        });
      }
      const named = scope === 'account' ? subject?.toLowerCase() : subject;
      const pause = await pauses.raise({ scope, subject: named ?? null, reason }, keyHolder);
      return pause === null ? namedError(chainAdminErrors.pauseOn) : done(viewPause(pause));
    },
  });
}

export function liftWalletPause({ pauses }: PausePorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: `${path}/:id/lift`,
    tag: 'Administration',
    summary: 'End a pause of an asset, an account or deposits',
    description: 'Requests are accepted again, and deposits that waited are credited.',
    weight: 0,
    auth: administrator,
    namedRows: [chainAdminErrors.pauseNotFound],
    params: strictObject({ id: pauseId }),
    body: strictObject({ reason: plainTextInput(500, 'Why', 'the migration is done') }),
    answer: okSchema,
    handle: async ({ params, body }) => {
      const isLifted = await pauses.lift(params.id, keyHolder, body.reason);
      return isLifted ? done({ ok: true }) : namedError(chainAdminErrors.pauseNotFound);
    },
  });
}

function viewPause({ id, scope, subject, reason, raisedBy, raisedAt }: WalletPause) {
  return {
    id,
    scope,
    subject,
    reason,
    raised_by: raisedBy,
    raised_at: raisedAt.toISOString(),
  };
}
