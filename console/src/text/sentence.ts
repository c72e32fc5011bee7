import { signal } from '@preact/signals';

// The sentences of error codes are not part of the first load: they are loaded after the page, or
// when the first of them is needed.

type Explain = (code: string, detail: string | null) => string;

// Used if the service cannot even be reached for its sentences.
const withoutSentences: Explain = (code, detail) =>
  code === 'NO_ANSWER' ? 'No answer came.' : (detail ?? `The service answered ${code}.`);

const explain = signal<Explain>(withoutSentences);
let loading: Promise<void> | null = null;

/** Loads the sentences once. Never rejects; if they cannot be loaded, the next call tries again. */
export function loadSentences(): Promise<void> {
  loading ??= import('./en/errors.ts').then(
    (module) => {
      explain.value = module.explain;
    },
    () => {
      loading = null;
    },
  );
  return loading;
}

/**
 * What a code means, in a sentence. Components that show it render again when the sentences arrive.
 */
export function sentenceOf(code: string, detail: string | null = null): string {
  if (explain.value === withoutSentences) void loadSentences();
  return explain.value(code, detail);
}
