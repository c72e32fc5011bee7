import type { ComponentChildren } from 'preact';

/** Figures side by side, each with its label. */
export function Cards({ figures }: { figures: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="cards">
      {figures.map(([name, figure]) => (
        <div class="figure" key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The same cards while their figures are loading. */
export function CardSkeletons({ names }: { names: readonly string[] }) {
  return (
    <div aria-busy="true">
      <Cards figures={names.map((name) => [name, '…'])} />
    </div>
  );
}
