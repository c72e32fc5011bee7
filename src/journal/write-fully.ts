/** Writes some of bytes[from, from + length) and returns how many. */
export type WriteSome = (
  from: number,
  length: number,
  done: (error: Error | null, count: number) => void,
) => void;

/** Writes all of `length` bytes, however few the system accepts at a time. */
export function writeFully(writeSome: WriteSome, length: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let written = 0;
    const next = (): void => {
      writeSome(written, length - written, (error, count) => {
        if (error !== null) return reject(error);
        if (count <= 0) return reject(new Error(`the system wrote ${count} bytes`));
        written += count;
        if (written < length) return next();
        resolve();
      });
    };
    next();
  });
}
