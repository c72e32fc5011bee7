import type { Answer, EndpointName, Input } from '@openbourse/client';
import { QueryClient, QueryObserver, type QueryObserverResult } from '@tanstack/query-core';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { api, token } from './api.ts';

const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: 2_000, retry: 1, refetchOnWindowFocus: true } },
});
queries.mount();

export interface QueryOptions {
  /** Milliseconds between two reads; absent: read once. */
  readonly every?: number;
  readonly isEnabled?: boolean;
}

/** An endpoint's answer, read again when it is stale, and kept while it is read again. */
export function useApi<Name extends EndpointName>(
  name: Name,
  input: Input<Name>,
  { every, isEnabled = true }: QueryOptions = {},
): QueryObserverResult<Answer<Name>> {
  const key = [name, input, token.value];
  const text = JSON.stringify(key);
  const options = {
    queryKey: key,
    queryFn: () => api.call(...([name, input] as unknown as Parameters<typeof api.call<Name>>)),
    refetchInterval: every ?? (false as const),
    enabled: isEnabled,
  };
  const observer = useMemo(() => new QueryObserver<Answer<Name>>(queries, options as never), []);
  const [result, setResult] = useState(() => observer.getCurrentResult());
  useEffect(() => {
    observer.setOptions(options);
    setResult(observer.getCurrentResult());
  }, [text, every, isEnabled]);
  useEffect(() => observer.subscribe(setResult), [observer]);
  return result;
}

/** The answer that is held of an endpoint without input, as a page has read it. */
export function heldAnswer<Name extends EndpointName>(name: Name): Answer<Name> | undefined {
  return queries.getQueryData<Answer<Name>>([name, {}, token.value]);
}

/** Reloads all data of these endpoints. */
export function refresh(...names: readonly EndpointName[]): void {
  for (const name of names) void queries.invalidateQueries({ queryKey: [name] });
}
