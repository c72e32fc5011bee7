// Every operation of the document gets an example of its body and of its answer, composed of the
// examples that its fields have.

type Json = Readonly<Record<string, unknown>>;

interface Media {
  readonly schema?: Json;
  example?: unknown;
  readonly examples?: unknown;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, Media> }>>;
}

/** The document with its examples; the one given is changed. */
export function addExamples<Document extends object>(document: Document): Document {
  const { paths } = document as { readonly paths?: Record<string, Record<string, Operation>> };
  for (const operations of Object.values(paths ?? {})) {
    for (const { requestBody, responses } of Object.values(operations)) {
      for (const media of Object.values(requestBody?.content ?? {})) complete(media);
      for (const media of Object.values(responses['200']?.content ?? {})) complete(media);
    }
  }
  return document;
}

function complete(media: Media): void {
  if (media.schema === undefined || media.example !== undefined) return;
  if (media.examples !== undefined) return;
  media.example = exampleOf(media.schema);
}

/** An example of what the schema describes: its own, or one made of those of its parts. */
export function exampleOf(schema: Json): unknown {
  const { examples, const: only, enum: words, anyOf, items, properties, type } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (only !== undefined) return only;
  if (Array.isArray(words)) return words[0];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as Json);
  if (properties !== undefined) {
    const fields = Object.entries(properties as Record<string, Json>);
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)]));
  }
  if (items !== undefined) return [exampleOf(items as Json)];
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes('null')) return null;
  if (types.includes('boolean')) return false;
  return types.includes('object') ? {} : '';
}
