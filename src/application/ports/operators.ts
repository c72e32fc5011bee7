/** Warnings for operators about details that callers do not get; a pino logger implements it. */
export interface OperatorLog {
  /** Logs a warning; `details` hold no secret. */
  warn(details: object, message: string): void;
}

/** Records administrators' writes. */
export interface AuditLog {
  /** Stores who did what. */
  record(entry: AuditEntry): Promise<void>;
}

/** An administrator's write that is not an engine command; the projector records those. */
export interface AuditEntry {
  /** Verb and noun, for example `set_vip_override`. */
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}
