/** What a process does besides following the log. */
export interface Roles {
  /** Whether it may own the exchange, and so be a member. */
  readonly mayOwn: boolean;
  /** Whether it serves clients. */
  readonly isGateway: boolean;
}

const known: readonly string[] = ['order', 'replica', 'gateway'];

export function readRoles(text: string | null): Roles {
  const names = text === null ? known : namesOf(text);
  return { mayOwn: names.includes('order'), isGateway: names.includes('gateway') };
}

/** What is wrong with the setting; empty if nothing is. */
export function findRoleProblems(text: string | null, natsUrl: string | null): readonly string[] {
  if (text === null) return [];
  const names = namesOf(text);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    return [`ROLES names ${unknown.join(', ')}; there are ${known.join(', ')}`];
  }
  const problems = [];
  if (natsUrl === null) problems.push('ROLES needs NATS_URL: a single process does everything');
  if (!names.includes('replica')) {
    problems.push('ROLES must name replica: every process holds the state of the exchange');
  }
  return problems;
}

function namesOf(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim());
}
