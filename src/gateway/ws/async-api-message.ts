import type { TSchema } from 'typebox';
import { exampleOf } from '../http/openapi-examples.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A message of the AsyncAPI document, with an example composed from those of its fields. */
export function describeMessage(name: string, payload: TSchema, summary?: string): Json {
  const examples = [{ name, payload: exampleOf(payload as Json) }];
  return { name, title: name, ...(summary === undefined ? {} : { summary }), payload, examples };
}

export function messageReference(name: string): Json {
  return reference(`components/messages/${name}`);
}

export function reference(path: string): Json {
  return { $ref: `#/${path}` };
}
