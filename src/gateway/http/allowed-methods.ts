import type { Endpoint } from './endpoint.ts';

/** The methods that a path supports; empty if the path does not exist. */
export function allowedMethods(endpoints: readonly Endpoint[], url: string): readonly string[] {
  const path = (url.split(/[?#]/, 1)[0] ?? '').split('/');
  const methods = endpoints
    .filter((endpoint) => isMatch(endpoint.path.split('/'), path))
    .map((endpoint) => endpoint.method);
  return [...new Set(methods)].sort();
}

function isMatch(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.length !== path.length) return false;
  return pattern.every((part, index) =>
    part.startsWith(':') ? path[index] !== '' : part === path[index],
  );
}
