import { useEffect, useState } from 'preact/hooks';

const previewWaitMs = 250;

interface PreviewState<Preview> {
  /** Null while there is none. */
  readonly preview: Preview | null;
  /** True while a newer one is awaited. */
  readonly isOld: boolean;
  /** Why there is none for the present order; null if it is awaited or not asked for. */
  readonly error: unknown;
}

/**
 * The service's preview of an order, requested shortly after the last change of `key`, which
 * describes the order.
 */
export function usePreview<Preview>(
  key: string,
  ask: (() => Promise<Preview>) | null,
): PreviewState<Preview> {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [isOld, setOld] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    setOld(true);
    setError(null);
    if (ask === null) {
      setPreview(null);
      return;
    }
    let isOver = false;
    const timer = setTimeout(() => {
      ask().then(
        (answer) => {
          if (isOver) return;
          setPreview(answer);
          setOld(false);
        },
        (reason: unknown) => {
          if (isOver) return;
          setPreview(null);
          setError(reason);
        },
      );
    }, previewWaitMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [key, ask === null]);
  return { preview, isOld, error };
}
