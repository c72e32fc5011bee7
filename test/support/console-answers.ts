import type { Answer } from './console-fake.ts';

// The accounts and times in the fixtures of the fake service, and how its answers are wrapped.

export const ownAddress = `0x${'79c8'.repeat(10)}`;
export const otherAddress = `0x${'b5d1'.repeat(10)}`;
export const fixedAt = '2026-01-15T11:48:20.000Z';

export const done = (body: unknown): Answer => ({ status: 200, body });
export const envelope = (data: unknown): Answer => done({ success: true, data });
