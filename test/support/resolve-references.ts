type Json = Readonly<Record<string, unknown>>;

/** The document with the schema itself at each place that refers to one of its components. */
export function resolveReferences<Document>(document: Document): Document {
  const { components } = document as { readonly components?: { readonly schemas?: Json } };
  const schemas = components?.schemas ?? {};
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...rest } = node as Json;
    if (typeof $ref !== 'string') {
      return Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, resolve(each)]));
    }
    const name = $ref.replace('#/components/schemas/', '');
    if (!(name in schemas)) throw new Error(`the document has no ${$ref}`);
    return resolve(schemas[name]);
  };
  return resolve(document) as Document;
}
