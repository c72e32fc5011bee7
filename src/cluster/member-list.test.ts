import { describe, expect, it } from 'vitest';
import {
  changeList,
  completeList,
  copiesFor,
  hasCopies,
  isComplete,
  isLater,
  isQuorum,
  latestOf,
  listWithout,
  MemberChangeError,
  type MemberList,
  missingOf,
  noMembers,
} from './member-list.ts';

function listOf(members: readonly string[], copies: number): MemberList {
  return { ...noMembers, epoch: 2, revision: 5, members, copies, isOpen: false };
}

const three = listOf(['a', 'b', 'c'], 2);
/** While `d` takes the place of `c`. */
const changing = changeList(three, { add: 'd', remove: 'c' }, 2);

describe('a list of members', () => {
  it('is later by its epoch, and in one epoch by its revision', () => {
    expect(isLater({ ...three, epoch: 3, revision: 0 }, three)).toBe(true);
    expect(isLater(three, { ...three, epoch: 3, revision: 0 })).toBe(false);
    expect(isLater({ ...three, revision: 6 }, three)).toBe(true);
    expect(isLater(three, three)).toBe(false);
  });

  it('that is the latest counts, wherever it is', () => {
    const later = { ...three, revision: 6 };
    expect(latestOf(three, [])).toBe(three);
    expect(latestOf(three, [{ list: later }, { list: noMembers }])).toBe(later);
    expect(latestOf(later, [{ list: three }])).toBe(later);
  });

  it('needs more copies only from three members on', () => {
    expect([1, 2, 3, 5].map((count) => copiesFor(count, 2))).toEqual([1, 1, 2, 2]);
  });

  it('has a quorum that meets every two of three', () => {
    expect(isQuorum(three, new Set(['a', 'b']))).toBe(true);
    expect(isQuorum(three, new Set(['a', 'x', 'y']))).toBe(false);
    expect(isQuorum(listOf(['a', 'b'], 1), new Set(['a']))).toBe(false);
  });

  it('has copies where enough of its members hold a command', () => {
    expect(hasCopies(three, new Set(['c', 'a']))).toBe(true);
    expect(hasCopies(three, new Set(['c', 'x']))).toBe(false);
  });

  it('lacks the members that have not answered', () => {
    expect(missingOf(three, new Set(['b']))).toEqual(['a', 'c']);
    expect(missingOf(changing, new Set(['b']))).toEqual(['a', 'd', 'c']);
  });

  it('counts together with the one before until a change is complete', () => {
    expect(isQuorum(changing, new Set(['a', 'd']))).toBe(false);
    expect(isQuorum(changing, new Set(['a', 'b']))).toBe(true);
    expect(hasCopies(changing, new Set(['a', 'd']))).toBe(false);
    expect(hasCopies(changing, new Set(['a', 'c']))).toBe(false);
    expect(hasCopies(changing, new Set(['a', 'c', 'd']))).toBe(true);
  });
});

describe('a change of the list', () => {
  it('adds and removes, and keeps the list before', () => {
    expect(changing).toEqual({
      ...three,
      revision: 6,
      members: ['a', 'b', 'd'],
      before: { members: ['a', 'b', 'c'], copies: 2 },
    });
    expect(changeList(three, { add: null, remove: 'c' }, 2)).toMatchObject({
      members: ['a', 'b'],
      copies: 1,
    });
    expect(changeList(listOf(['a', 'b'], 1), { add: 'c', remove: null }, 2)).toMatchObject({
      members: ['a', 'b', 'c'],
      copies: 2,
    });
  });

  it.each([
    [changing, { add: 'e', remove: null }, 'the change before this is not complete'],
    [three, { add: null, remove: 'd' }, 'd is no member'],
    [three, { add: 'c', remove: null }, 'c is a member already'],
    [listOf(['a'], 1), { add: null, remove: 'a' }, 'the last member cannot be removed'],
    [listOf([...'abcdefghi'], 2), { add: 'j', remove: null }, 'there can be at most 9 members'],
  ])('is refused if it is not possible', (list, change, reason) => {
    const refused = (): MemberList => changeList(list, change, 2);
    expect(refused).toThrow(MemberChangeError);
    expect(refused).toThrow(reason);
  });

  it('may bring the list to nine members, or replace its only one', () => {
    const nine = changeList(listOf([...'abcdefgh'], 2), { add: 'i', remove: null }, 2);
    expect(nine.members).toHaveLength(9);
    const other = changeList(listOf(['a'], 1), { add: 'b', remove: 'a' }, 2);
    expect(other.members).toEqual(['b']);
  });

  it('is complete once all members hold it, and enough of those before', () => {
    expect(isComplete(changing, new Set(['a', 'b']))).toBe(false);
    expect(isComplete(changing, new Set(['a', 'b', 'd']))).toBe(true);
    expect(isComplete(three, new Set(['a', 'b', 'c']))).toBe(true);
    const replaced = changeList(listOf(['a'], 1), { add: 'b', remove: 'a' }, 2);
    expect(isComplete(replaced, new Set(['b']))).toBe(false);
    expect(isComplete(replaced, new Set(['a', 'b']))).toBe(true);
    const first = changeList(noMembers, { add: 'a', remove: null }, 2);
    expect(isComplete(first, new Set(['a']))).toBe(true);
    expect(completeList(changing)).toEqual({ ...changing, revision: 7, before: null });
  });

  it('for members that an operator gives up is complete at once', () => {
    expect(listWithout({ ...changing, isOpen: true }, ['a'], 2)).toEqual({
      ...three,
      revision: 7,
      members: ['b', 'd'],
      copies: 1,
      before: null,
      isOpen: false,
    });
  });
});
