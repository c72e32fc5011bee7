/**
 * The name of an operation in the OpenAPI document, from its method and path: `GET
 * /api/v1/spot/orders/:id` is `getSpotOrdersById`. Distinct paths have distinct names.
 */
export function operationIdOf(method: string, path: string): string {
  const segments = path
    .replace(/^\/api\/v1\//, '/')
    .split('/')
    .filter((each) => each !== '');
  const words = segments.flatMap((segment) =>
    segment.startsWith(':') ? ['by', ...wordsOf(segment)] : wordsOf(segment),
  );
  return [method.toLowerCase(), ...words.map(capitalized)].join('');
}

function wordsOf(segment: string): readonly string[] {
  return segment.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
