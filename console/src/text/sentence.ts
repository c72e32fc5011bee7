import { signal } from '@preact/signals';

// The sentences of error codes are no part of the first load: they come once the page stands, or
// when the first of them is needed.

type Explain = (code: string, detail: string | null) => string;

// Said where the service cannot be reached even for its sentences.
const withoutSentences: Explain = (code, detail) =>
  code === 'NO_ANSWER' ? 'No answer came.' : (detail ?? `The service answered ${code}.`);

const explain = signal<Explain>(withoutSentences);
let loading: Promise<void> | null = null;

/** Loads the sentences once. Never rejects; where they cannot be had, the next call tries again. */
export function loadSentences(): Promise<void> {
  loading ??= import('./errors.ts').then(
    (module) => {
      explain.value = module.explain;
    },
    () => {
      loading = null;
    },
  );
  return loading;
}

/** What a code means, in a sentence. Components that show it are shown anew when sentences come. */
export function sentenceOf(code: string, detail: string | null = null): string {
  if (explain.value === withoutSentences) void loadSentences();
  return explain.value(code, detail);
}
