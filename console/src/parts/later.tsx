import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { sayError } from '../feed/notices.ts';

/** A component whose code is loaded when it is first shown, and not before. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  /** Shown until the code has arrived. */
  Awaited?: ComponentType<Props>,
): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | null>(null);
  return function Later(props: Props) {
    useEffect(() => {
      if (loaded.value !== null) return;
      load().then((component) => {
        loaded.value = component;
      }, sayError);
    }, []);
    const Shown = loaded.value ?? Awaited;
    return Shown === undefined ? null : <Shown {...props} />;
  };
}
