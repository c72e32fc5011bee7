import { isDeepStrictEqual } from 'node:util';

// Schemas that have a title are described once, below components, and referred to by it.

type Json = Readonly<Record<string, unknown>>;

/** Values in which nothing is a schema. */
const values: ReadonlySet<string> = new Set(['example', 'examples', 'enum', 'const', 'default']);

/** Moves every titled object schema of the document into its components. */
export function shareSchemas(document: object): object {
  const schemas: Record<string, Json> = {};
  const { components = {}, ...rest } = document as { readonly components?: object };
  const shared = share(rest, schemas) as object;
  const sorted = Object.fromEntries(
    Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  return { ...shared, components: { ...components, schemas: sorted } };
}

function share(node: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(node)) return node.map((each) => share(each, schemas));
  if (typeof node !== 'object' || node === null) return node;
  const copy: Json = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name,
      values.has(name) ? value : share(value, schemas),
    ]),
  );
  const { title, type, properties } = copy;
  if (type !== 'object' || properties === undefined || typeof title !== 'string') return copy;
  schemas[title] ??= copy;
  // Two schemas of one title would make the document wrong; the second one stays in place.
  if (!isDeepStrictEqual(schemas[title], copy)) return copy;
  return { $ref: `#/components/schemas/${title}` };
}
