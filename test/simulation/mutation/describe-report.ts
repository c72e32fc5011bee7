/** The parts of Stryker's report that are used. */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

const found: ReadonlySet<string> = new Set(['Killed', 'Timeout', 'RuntimeError']);

/** The score of a run, and the place of each mutant that survived. */
export function describeReport({ files }: MutationReport): {
  readonly text: string;
  readonly percent: number;
} {
  const all = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.filter(({ status }) => status !== 'Ignored').map((mutant) => ({ file, mutant })),
  );
  const survivors = all.filter(({ mutant }) => !found.has(mutant.status));
  const killed = all.length - survivors.length;
  const percent = all.length === 0 ? 100 : (100 * killed) / all.length;
  const lines = survivors.map(({ file, mutant }) => {
    const { line, column } = mutant.location.start;
    return `  ${file}:${line}:${column} ${mutant.mutatorName}: ${mutant.replacement ?? ''}`;
  });
  const head = `${killed} of ${all.length} mutants found, ${percent.toFixed(1)} %`;
  return { text: [head, ...lines].join('\n'), percent };
}
