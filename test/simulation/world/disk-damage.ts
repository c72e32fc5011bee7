/** A file of a disk, as far as damage is concerned. */
export interface DamagedFile {
  durable: Buffer;
  current: Buffer;
}

interface WrongByte {
  readonly right: number;
  readonly wrong: number;
}

/**
 * Bytes of a disk that are not what was written there, with what was. Whatever is written over them
 * is meant to be there, so it ends the damage without mending it.
 */
export class DiskDamage {
  readonly #files = new Map<DamagedFile, Map<number, WrongByte>>();

  get isThere(): boolean {
    return this.#files.size > 0;
  }

  /** Sets a byte to what nobody wrote. */
  spoil(file: DamagedFile, at: number, wrong: number): void {
    const bytes = this.#files.get(file) ?? new Map<number, WrongByte>();
    const right = bytes.get(at)?.right ?? file.current[at]!;
    setByte(file, at, wrong);
    if (wrong === right) bytes.delete(at);
    else bytes.set(at, { right, wrong });
    this.#keep(file, bytes);
  }

  /** A process writes there. */
  overwrite(file: DamagedFile, position: number, length: number): void {
    const bytes = this.#files.get(file);
    if (bytes === undefined) return;
    for (const at of bytes.keys()) {
      if (at >= position && at < position + length) bytes.delete(at);
    }
    this.#keep(file, bytes);
  }

  /** As an operator who restores the files: each byte that is still wrong is right again. */
  repair(): void {
    for (const [file, bytes] of this.#files) {
      for (const [at, { right, wrong }] of bytes) {
        if (file.current[at] === wrong) setByte(file, at, right);
      }
    }
    this.#files.clear();
  }

  #keep(file: DamagedFile, bytes: Map<number, WrongByte>): void {
    if (bytes.size === 0) this.#files.delete(file);
    else this.#files.set(file, bytes);
  }
}

function setByte({ current, durable }: DamagedFile, at: number, value: number): void {
  if (at < current.length) current[at] = value;
  if (at < durable.length) durable[at] = value;
}
