import Schema from 'typebox/schema';

// Checks answers against the served OpenAPI document: a success against its schema, strictly, and
// an
// error against the rows that the operation names.

type Json = Readonly<Record<string, unknown>>;

export interface DocumentedOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly required?: boolean;
    readonly schema: Json;
    readonly example?: unknown;
    readonly 'x-example'?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Record<string, Media> }>
  >;
}

interface Media {
  readonly schema: Json;
  readonly example?: unknown;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

/** A schema that accepts only the fields that it names. */
export function strictly(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strictly);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'examples' || name === 'enum' ? value : strictly(value),
    ]),
  );
  if (copy['properties'] === undefined || copy['additionalProperties'] !== undefined) return copy;
  return { ...copy, additionalProperties: false };
}

const validators = new Map<unknown, ReturnType<typeof Schema.Compile>>();

/** What the value has that the schema does not allow; empty if it is valid. */
export function problemsOf(schema: unknown, value: unknown): readonly string[] {
  const validator = validators.get(schema) ?? Schema.Compile(strictly(schema) as Schema.XSchema);
  validators.set(schema, validator);
  const [isValid, problems] = validator.Errors(value);
  if (isValid) return [];
  return problems.map(({ instancePath, message, params }) => {
    return `${instancePath}: ${message} ${JSON.stringify(params)}`;
  });
}

export class DocumentedInterface {
  readonly #operations: readonly (readonly [string, RegExp, DocumentedOperation])[];

  constructor({ paths }: OpenApiDocument) {
    const all = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, operation]) => [method.toUpperCase(), patternOf(path), operation, path] as const,
      ),
    );
    // A fixed path wins over one with a parameter in its place.
    this.#operations = all
      .toSorted((a, b) => Number(a[3].includes('{')) - Number(b[3].includes('{')))
      .map(([method, pattern, operation]) => [method, pattern, operation]);
  }

  find(method: string, url: string): DocumentedOperation | null {
    const path = url.split('?')[0] ?? '';
    const found = this.#operations.find(([verb, pattern]) => verb === method && pattern.test(path));
    return found?.[2] ?? null;
  }

  /** Where the answer differs from the document; empty if it is as described. */
  problems(method: string, url: string, status: number, text: string): readonly string[] {
    const operation = this.find(method, url);
    if (operation === null) return [];
    const response = operation.responses[String(status)];
    if (response === undefined) return [`${status} is not documented: ${text}`];
    if (status !== 200) return errorProblems(response.description, text);
    const schema = response.content?.['application/json']?.schema;
    if (schema === undefined) return [];
    return problemsOf(schema, JSON.parse(text));
  }
}

function errorProblems(description: string, text: string): readonly string[] {
  // A row without a code has an empty body, or a page.
  if (text === '' || text.startsWith('<')) return [];
  const code = codeOf(JSON.parse(text));
  const isDocumented = [...description.matchAll(/`([^`]+)`/g)].some(([, documented = '']) =>
    patternOfCode(documented).test(code),
  );
  return isDocumented ? [] : [`the error ${code} is not documented`];
}

/** In a code `<name>` stands for any value. */
function patternOfCode(code: string): RegExp {
  const escaped = code.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/<\w+>/g, '.*')}$`);
}

function codeOf(body: unknown): string {
  const { error, code } = body as {
    readonly error?: string | { readonly code: string };
    readonly code?: number;
  };
  if (typeof error === 'string') return error;
  return String(error?.code ?? code);
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\{[^}]+\}/g, '[^/]+')}$`);
}

/** Fields without a description, by their place. */
export function bareFields(schema: Json, place: string): readonly string[] {
  const { properties, items, anyOf, prefixItems } = schema;
  const parts: readonly (readonly [string, Json])[] = [
    ...(items === undefined || items === false ? [] : [['[]', items as Json] as const]),
    ...[...((anyOf ?? []) as Json[]), ...((prefixItems ?? []) as Json[])].map(
      (each, index) => [`|${index}`, each] as const,
    ),
  ];
  const fields = Object.entries((properties ?? {}) as Record<string, Json>);
  return [
    ...fields
      .filter(([, { description = '' }]) => description === '')
      .map(([name]) => `${place}.${name}`),
    ...fields.flatMap(([name, field]) => bareFields(field, `${place}.${name}`)),
    ...parts.flatMap(([name, part]) => bareFields(part, `${place}${name}`)),
  ];
}
