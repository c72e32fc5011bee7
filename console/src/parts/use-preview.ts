import { useEffect, useState } from 'preact/hooks';

const previewWaitMs = 250;

/**
 * The service's preview of an order, requested shortly after the last change of `key`, which
 * describes the order; null while there is none, and `isOld` while a newer one is awaited.
 */
export function usePreview<Preview>(
  key: string,
  ask: (() => Promise<Preview>) | null,
): { readonly preview: Preview | null; readonly isOld: boolean } {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [isOld, setOld] = useState(false);
  useEffect(() => {
    setOld(true);
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
        () => !isOver && setPreview(null),
      );
    }, previewWaitMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [key, ask === null]);
  return { preview, isOld };
}
