import { Type } from 'typebox';
import { strictObject } from '../schema.ts';

export const okSchema = strictObject(
  {
    ok: Type.Boolean({ description: 'Always true', examples: [true] }),
  },
  { title: 'Done' },
);

export const tokenInput = (description: string, example: string) =>
  Type.String({ pattern: '^[A-Za-z0-9._-]{1,20}$', description, examples: [example] });

/** Free text that can be stored anywhere: no control characters, no unpaired surrogates. */
export const plainTextInput = (lengthMax: number, description: string, example: string) =>
  Type.String({
    pattern: `^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]{1,${lengthMax}}$`,
    description,
    examples: [example],
  });

export const pauseContractInput = Type.Optional(
  Type.Boolean({
    description: 'Whether a guardian also pauses the contracts',
    examples: [false],
  }),
);
