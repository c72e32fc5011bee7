import { Type } from 'typebox';
import { done, refused } from '../../../domain/outcome.ts';
import { futuresErrors } from '../../errors/futures-errors.ts';
import { defineEndpoint, type Endpoint, namedError, tokenOnly } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { optionalSymbol } from './derivative-schemas.ts';

const modeText = (description: string) =>
  Type.Optional(Type.String({ description, examples: ['cross'] }));

/** The margin mode is cross; any other mode is refused. */
export function setMarginMode(): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/account/margin-mode',
    tag: 'Derivatives account',
    summary: 'Set the margin mode',
    description: 'Margin is cross for every account; setting cross changes nothing.',
    weight: 1,
    auth: tokenOnly,
    body: strictObject(
      {
        margin_mode: modeText('cross'),
        mode: modeText('Alias of margin_mode, which takes precedence'),
        symbol: optionalSymbol,
      },
      { examples: [{ margin_mode: 'cross' }] },
    ),
    answer: strictObject({
      margin_mode: Type.String({ description: 'Always cross', examples: ['cross'] }),
    }),
    namedRows: [futuresErrors.marginModeNotSupported],
    handle: ({ body }) => {
      const mode = body.margin_mode ?? body.mode;
      if (mode === undefined) {
        return refused({ reason: 'parameter_invalid', detail: 'margin_mode: missing' });
      }
      if (mode.toLowerCase() !== 'cross') return namedError(futuresErrors.marginModeNotSupported);
      return done({ margin_mode: 'cross' });
    },
  });
}
