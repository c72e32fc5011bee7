// Writes the types of packages/client: from the OpenAPI document one member an endpoint, with what
// it takes and what it answers; from the AsyncAPI document one a channel, with what it delivers.

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Json;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >;
}

interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, Json>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const header = `// Written by npm run client:types from the service's schemas; a test holds both together.
`;

const endpointsHeader = `
/** What each endpoint takes and answers; for the envelope, the contents of \`data\`. */
export interface Endpoints {
`;

const channelsHeader = `
type Same<Data> = { snapshot: Data; update: Data };

/** What each channel of /ws delivers: the \`data\` of its snapshots and of its updates. */
export interface Channels {
`;

interface StreamDocument {
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly payload: Json }>>;
  };
}

/** The text of packages/client/src/channels.ts. */
export function channelTypes({ components }: StreamDocument): string {
  const data = new Map<string, { snapshot?: string; update?: string }>();
  for (const { payload } of Object.values(components.messages)) {
    const properties = payload['properties'] as Readonly<Record<string, Json>> | undefined;
    const [type, channel] = [properties?.['type']?.['const'], properties?.['channel']?.['const']];
    if (typeof channel !== 'string' || (type !== 'snapshot' && type !== 'update')) continue;
    data.set(channel, { ...data.get(channel), [type]: typeOf(properties?.['data'] ?? {}) });
  }
  const members = [...data].map(([channel, { snapshot = 'never', update = 'never' }]) =>
    snapshot === update
      ? `  ${channel}: Same<${snapshot}>;\n`
      : `  ${channel}: { snapshot: ${snapshot}; update: ${update} };\n`,
  );
  return `${header}${channelsHeader}${members.join('')}}\n`;
}

// A key's signature belongs to the transport.
const signing = new Set(['timestamp', 'signature', 'recvWindow']);

/** The text of packages/client/src/endpoints.ts. */
export function clientTypes({ paths, components }: Document): string {
  const shared = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]) => `\nexport type ${name} = ${typeOf(schema)};\n`,
  );
  const members = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v1/') || path.startsWith('/fapi/'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => member(method, path, operation)),
    );
  return `${header}${shared.join('')}${endpointsHeader}${members.join('')}}\n`;
}

function member(method: string, path: string, operation: Operation): string {
  const name = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
  const parameters = operation.parameters ?? [];
  const query = parameters.filter((each) => each.in === 'query' && isOwn(path, each.name));
  const params = parameters.filter((each) => each.in === 'path');
  const contents = Object.values(operation.requestBody?.content ?? {});
  const body = contents[0]?.schema;
  const content = operation.responses['200']?.content ?? {};
  const answer = content['application/json']?.schema;
  return [
    `  /** ${operation.summary ?? ''} */\n`,
    `  '${name}': {\n`,
    `    params: ${fields(params)};\n`,
    `    query: ${fields(query)};\n`,
    `    body: ${body === undefined ? 'undefined' : typeOf(body)};\n`,
    `    answer: ${answer === undefined ? 'unknown' : typeOf(unwrapped(answer))};\n`,
    '  };\n',
  ].join('');
}

function isOwn(path: string, name: string): boolean {
  return path.startsWith('/fapi/') ? name !== 'signature' : !signing.has(name);
}

function fields(
  parameters: readonly {
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Json;
  }[],
): string {
  if (parameters.length === 0) return '{}';
  const all = parameters.map(
    ({ name, required, schema }) => `${name}${required === true ? '' : '?'}: ${typeOf(schema)}`,
  );
  return `{ ${all.join('; ')} }`;
}

/** Of an envelope what stands in `data`. */
function unwrapped(schema: Json): Json {
  const properties = schema['properties'] as Json | undefined;
  const isEnvelope = properties !== undefined && 'success' in properties && 'data' in properties;
  return isEnvelope ? (properties['data'] as Json) : schema;
}

function typeOf(schema: Json): string {
  const { $ref } = schema;
  if (typeof $ref === 'string') return $ref.replace('#/components/schemas/', '');
  const alternatives = (schema['anyOf'] ?? schema['oneOf']) as readonly Json[] | undefined;
  if (alternatives !== undefined) return union(alternatives.map(typeOf));
  if ('const' in schema) return literal(schema['const']);
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map(literal));
  const { type } = schema;
  if (Array.isArray(type)) return union(type.map((each) => typeOf({ ...schema, type: each })));
  if (type === 'array') return arrayOf(schema);
  if (type === 'object') return objectOf(schema);
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'string' || type === 'boolean' || type === 'null' ? type : 'unknown';
}

function arrayOf(schema: Json): string {
  const items = (schema['prefixItems'] ?? schema['items']) as Json | readonly Json[] | undefined;
  if (Array.isArray(items)) return `[${(items as readonly Json[]).map(typeOf).join(', ')}]`;
  const { minItems, maxItems } = schema;
  if (items !== undefined && minItems === 2 && maxItems === 2) {
    const item = typeOf(items as Json);
    return `[${item}, ${item}]`;
  }
  return items === undefined ? 'unknown[]' : `${bracketed(typeOf(items as Json))}[]`;
}

function objectOf(schema: Json): string {
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  if (properties.length === 0) return 'Record<string, unknown>';
  const all = properties.map(
    ([name, each]) => `${nameOf(name)}${required.has(name) ? '' : '?'}: ${typeOf(each)}`,
  );
  return `{ ${all.join('; ')} }`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function bracketed(type: string): string {
  return type.includes(' | ') ? `(${type})` : type;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
}

function nameOf(name: string): string {
  return /^[a-zA-Z_]\w*$/.test(name) ? name : literal(name);
}
