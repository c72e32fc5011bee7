import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../api/api.ts';
import { shortAddress } from '../number/format.ts';

/** The explorer that the service names; null: it names none, or has not answered yet. */
const explorer = signal<string | null>(null);
let isAsked = false;

function loadExplorer(): void {
  if (isAsked) return;
  isAsked = true;
  api.call('GET /api/v1/chain/info').then(
    ({ explorer_url: url }) => {
      explorer.value = url;
    },
    // The next link that is shown asks again.
    () => {
      isAsked = false;
    },
  );
}

export interface ChainLinkProps {
  readonly to: 'tx' | 'address';
  /** Null: there is none. */
  readonly value: string | null;
  readonly isShort?: boolean;
}

/** A transaction's hash or an address, linked to the explorer if there is one. */
export function ChainLink({ to, value, isShort = false }: ChainLinkProps) {
  useEffect(loadExplorer, []);
  if (value === null) return <code>–</code>;
  const text = <code title={value}>{isShort ? shortAddress(value) : value}</code>;
  if (explorer.value === null) return text;
  return (
    <a href={`${explorer.value}/${to}/${value}`} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}
