// The members are the processes whose journals count: an acknowledgement is in the journals of
// enough of them, and a roll call that meets enough of them meets one that holds it. All of them
// must use the same list, so it is part of the history and only an operator changes it.

/** Journals, named by the number that each keeps in its folder. */
export interface MemberSet {
  readonly members: readonly string[];
  /** How many of them hold a command before it is acknowledged. */
  readonly copies: number;
}

export interface MemberList extends MemberSet {
  /** The epoch in which this list was written, and its number there: a later list replaces it. */
  readonly epoch: number;
  readonly revision: number;
  /** The list before, which counts too until the change is complete. */
  readonly before: MemberSet | null;
  /** Whether processes that join are still entered, until the exchange has as many as it should. */
  readonly isOpen: boolean;
}

export const noMembers: MemberList = {
  epoch: 0,
  revision: 0,
  members: [],
  copies: 1,
  before: null,
  isOpen: true,
};

/** The copies of a list of that size: with two members, a second copy would stop both. */
export function copiesFor(membersCount: number, ackCopies: number): number {
  return membersCount < 3 ? 1 : ackCopies;
}

export function isLater(one: MemberList, other: MemberList): boolean {
  if (one.epoch !== other.epoch) return one.epoch > other.epoch;
  return one.revision > other.revision;
}

/** The latest of the own list and those that other processes hold. */
export function latestOf(
  own: MemberList,
  answers: readonly { readonly list: MemberList }[],
): MemberList {
  return answers.reduce((latest, { list }) => (isLater(list, latest) ? list : latest), own);
}

function setsOf(list: MemberList): readonly MemberSet[] {
  return list.before === null ? [list] : [list, list.before];
}

/** Whether these members meet every group that could have acknowledged a command. */
export function isQuorum(list: MemberList, answered: ReadonlySet<string>): boolean {
  return setsOf(list).every(({ members, copies }) => {
    const count = members.filter((member) => answered.has(member)).length;
    return count >= members.length - copies + 1;
  });
}

/** Whether a command that these members hold may be acknowledged. */
export function hasCopies(list: MemberList, holders: ReadonlySet<string>): boolean {
  return setsOf(list).every(
    ({ members, copies }) => members.filter((member) => holders.has(member)).length >= copies,
  );
}

/** The members of the list that have not answered. */
export function missingOf(list: MemberList, answered: ReadonlySet<string>): readonly string[] {
  const all = new Set(setsOf(list).flatMap(({ members }) => members));
  return [...all].filter((member) => !answered.has(member));
}

/** A change of the list by an operator: one member is added, removed, or both. */
export interface MemberChange {
  readonly add: string | null;
  readonly remove: string | null;
}

export class MemberChangeError extends Error {
  override readonly name = 'MemberChangeError';
}

/** The file of each member keeps the list in a space of fixed size. */
const membersMax = 9;

/**
 * The list after the change, which is not complete yet. @throws MemberChangeError if it is not
 * possible now
 */
export function changeList(list: MemberList, change: MemberChange, ackCopies: number): MemberList {
  const { add, remove } = change;
  if (list.before !== null) throw new MemberChangeError('the change before this is not complete');
  if (remove !== null && !list.members.includes(remove)) {
    throw new MemberChangeError(`${remove} is no member`);
  }
  if (add !== null && list.members.includes(add)) {
    throw new MemberChangeError(`${add} is a member already`);
  }
  const kept = list.members.filter((member) => member !== remove);
  const members = add === null ? kept : [...kept, add];
  if (members.length === 0) throw new MemberChangeError('the last member cannot be removed');
  if (members.length > membersMax) {
    throw new MemberChangeError(`there can be at most ${membersMax} members`);
  }
  return {
    ...list,
    revision: list.revision + 1,
    members,
    copies: copiesFor(members.length, ackCopies),
    before: { members: list.members, copies: list.copies },
  };
}

/** The list once every member of it, and enough of the one before, hold the change. */
export function completeList(list: MemberList): MemberList {
  return { ...list, revision: list.revision + 1, before: null };
}

/** Whether these members, which hold the change, complete it. */
export function isComplete(list: MemberList, holders: ReadonlySet<string>): boolean {
  if (!list.members.every((member) => holders.has(member))) return false;
  const { before } = list;
  if (before === null) return true;
  const count = before.members.filter((member) => holders.has(member)).length;
  return count >= Math.min(before.copies, before.members.length);
}

/** The list of an epoch that an operator lets begin without some members. */
export function listWithout(
  list: MemberList,
  missing: readonly string[],
  ackCopies: number,
): MemberList {
  const members = list.members.filter((member) => !missing.includes(member));
  const copies = copiesFor(members.length, ackCopies);
  return { ...list, revision: list.revision + 1, members, copies, before: null, isOpen: false };
}
