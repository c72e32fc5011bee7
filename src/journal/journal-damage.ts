/**
 * The journal is damaged: an operator has to decide, because no record is ever skipped.
 */
export class JournalDamageError extends Error {
  override readonly name = 'JournalDamageError';
  readonly file: string;
  readonly offset: number;

  constructor(file: string, offset: number, finding: string) {
    super(`journal damaged: ${file} at offset ${offset}: ${finding}`);
    this.file = file;
    this.offset = offset;
  }
}
