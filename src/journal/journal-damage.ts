/**
 * The journal cannot be trusted in its present state: an operator must look, nothing is skipped.
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
