import type { TObject } from 'typebox';

// Query and path parameters are text. If a schema expects an integer or a boolean, text of exactly
// that form is converted before validation; everything else stays text and is refused.

const integerPattern = /^(0|-?[1-9][0-9]{0,14})$/;

/** Converts the integers and booleans of one endpoint's parameters. */
export class TypedParameters {
  readonly #integers: readonly string[];
  readonly #booleans: readonly string[];

  constructor(schema: TObject | null) {
    const fields = Object.entries(schema?.properties ?? {});
    const ofType = (type: string): string[] =>
      fields
        .filter(([, field]) => (field as { readonly type?: unknown }).type === type)
        .map(([name]) => name);
    this.#integers = ofType('integer');
    this.#booleans = ofType('boolean');
  }

  convert(parameters: Record<string, unknown>): void {
    for (const name of this.#integers) {
      const text = parameters[name];
      if (typeof text === 'string' && integerPattern.test(text)) parameters[name] = Number(text);
    }
    for (const name of this.#booleans) {
      const text = parameters[name];
      if (text === 'true' || text === 'false') parameters[name] = text === 'true';
    }
  }
}
