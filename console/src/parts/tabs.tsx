import type { ComponentChildren } from 'preact';

interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: ComponentChildren;
}

export interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  /** The element that the tabs change. */
  readonly controls?: string;
}

function neighbour<Id extends string>(
  tabs: readonly Tab<Id>[],
  chosen: Id,
  key: string,
): Id | undefined {
  const at = tabs.findIndex(({ id }) => id === chosen);
  if (key === 'ArrowRight') return tabs[(at + 1) % tabs.length]?.id;
  if (key === 'ArrowLeft') return tabs.at(at - 1)?.id;
  if (key === 'Home') return tabs[0]?.id;
  return key === 'End' ? tabs.at(-1)?.id : undefined;
}

/** Tabs of which only the selected one is in the tab order; arrow keys move between them. */
export function Tabs<Id extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  controls,
}: TabsProps<Id>) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = neighbour(tabs, chosen, event.key);
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next);
    const list = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => list.querySelector<HTMLElement>(`[data-id="${next}"]`)?.focus());
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ id, label: text }) => (
        <button
          key={id}
          type="button"
          role="tab"
          data-id={id}
          aria-selected={id === chosen}
          tabIndex={id === chosen ? 0 : -1}
          {...(controls === undefined ? {} : { 'aria-controls': controls })}
          onClick={() => onChoose(id)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

export interface ChoiceProps<Id extends string> extends TabsProps<Id> {
  readonly kind?: string;
}

/** A few buttons of which one is pressed. */
export function Choice<Id extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  kind = '',
}: ChoiceProps<Id>) {
  return (
    <div class={`tabs ${kind}`} role="group" aria-label={label}>
      {tabs.map(({ id, label: text }) => (
        <button
          key={id}
          type="button"
          class={`is-${id}`}
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
