// Every operation of the document gets an example of its body and of its answer, composed from the
// examples of its fields.

type Json = Readonly<Record<string, unknown>>;

interface Media {
  readonly schema?: Json;
  example?: unknown;
  readonly examples?: unknown;
}

interface Parameter {
  readonly required?: boolean;
  description?: string;
  example?: unknown;
  'x-example'?: unknown;
  schema: Json;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, Media> }>>;
}

/** Adds examples to the document, which is changed in place. */
export function addExamples<Document extends object>(document: Document): Document {
  const { paths } = document as { readonly paths?: Record<string, Record<string, Operation>> };
  for (const operations of Object.values(paths ?? {})) {
    for (const { parameters = [], requestBody, responses } of Object.values(operations)) {
      for (const parameter of parameters) moveExample(parameter);
      for (const media of Object.values(requestBody?.content ?? {})) complete(media, exampleOf);
      for (const media of Object.values(responses['200']?.content ?? {})) {
        complete(media, exampleOfRequired);
      }
    }
  }
  return document;
}

// The page fills in a parameter's example automatically, which must not happen to an optional one:
// nobody trying out a list wants to send an example cursor or signature. So the example becomes
// part of the description.
function moveExample(parameter: Parameter): void {
  const { examples, ...schema } = parameter.schema;
  const listed: unknown = Array.isArray(examples) ? examples[0] : undefined;
  const example = parameter.example ?? listed;
  if (parameter.required === true || example === undefined) return;
  parameter.schema = schema;
  delete parameter.example;
  parameter['x-example'] = example;
  if (typeof example !== 'string' && typeof example !== 'number') return;
  if (schema['enum'] === undefined)
    parameter.description = `${parameter.description}; for example \`${example}\``;
}

function complete(media: Media, compose: (schema: Json) => unknown): void {
  if (media.schema === undefined || media.example !== undefined) return;
  if (media.examples !== undefined) return;
  media.example = compose(media.schema);
}

/** An example of what the schema describes: its own, or one composed from those of its parts. */
export function exampleOf(schema: Json): unknown {
  return compose(schema, () => true);
}

/** The same without the optional fields. */
function exampleOfRequired(schema: Json): unknown {
  return compose(
    schema,
    (name, { required }) => !Array.isArray(required) || required.includes(name),
  );
}

function compose(schema: Json, isTaken: (name: string, parent: Json) => boolean): unknown {
  const { examples, const: only, enum: words, anyOf, items, properties, type } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (only !== undefined) return only;
  if (Array.isArray(words)) return words[0];
  if (Array.isArray(anyOf)) return compose(anyOf[0] as Json, isTaken);
  if (properties !== undefined) {
    const fields = Object.entries(properties as Record<string, Json>);
    const taken = fields.filter(([name]) => isTaken(name, schema));
    return Object.fromEntries(taken.map(([name, field]) => [name, compose(field, isTaken)]));
  }
  if (items !== undefined) return [compose(items as Json, isTaken)];
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes('null')) return null;
  if (types.includes('boolean')) return false;
  return types.includes('object') ? {} : '';
}
