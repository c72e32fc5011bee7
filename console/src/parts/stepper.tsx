export interface Step {
  readonly text: string;
  readonly state: 'done' | 'now' | 'later' | 'failed';
}

const marks = { done: '✓', now: '•', later: '', failed: '✕' } as const;

/** Shows the progress of something that has several steps. */
export function Stepper({ label, steps }: { label: string; steps: readonly Step[] }) {
  return (
    <ol class="steps" aria-label={label}>
      {steps.map(({ text, state }) => (
        <li
          key={text}
          class={state}
          data-mark={marks[state]}
          {...(state === 'now' ? { 'aria-current': 'step' as const } : {})}
        >
          {text}
        </li>
      ))}
    </ol>
  );
}
