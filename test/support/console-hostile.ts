import type { Page } from 'playwright-core';
import type { Answer } from './console-fake.ts';
import { restFixtures } from './console-fixtures.ts';

// The fixed data with hostile words wherever others choose them, and what a page has done with them.

/**
 * Fields whose words come from users, operators, wallets or other contracts. The service takes only
 * letters, digits and .-_ in the names of markets.
 */
const foreignFields = new Set([
  'label',
  'username',
  'code',
  'referral_code',
  'referrer_code',
  'tier_name',
  'detail',
  'reason',
  'raised_by',
  'requested_by',
  'approved_by',
  'actor',
  'action',
  'error',
  'failure_reason',
  'token_symbol',
  'ip_whitelist',
  'client_order_id',
]);

function replaceIn(value: unknown, text: string, isForeign: boolean): unknown {
  if (typeof value === 'string') return isForeign ? text : value;
  if (Array.isArray(value)) return value.map((each) => replaceIn(each, text, isForeign));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => {
    const replaced = replaceIn(each, text, isForeign || foreignFields.has(name));
    return [name, replaced] as const;
  });
  return Object.fromEntries(entries);
}

/** The answers of the fake service with a text in every field that others fill in. */
export function hostileAnswers(text: string): ReadonlyMap<string, Answer> {
  return new Map(
    Object.entries(restFixtures).map(([key, answer]) => [
      key,
      { ...answer, body: replaceIn(answer.body, text, false) },
    ]),
  );
}

/** What must be empty, and whether the text is on the page. */
export interface Harm {
  readonly elements: readonly string[];
  /** Of the browser's dialogs that scripts open. */
  readonly hasRun: boolean;
  /** Elements that extend beyond the page, and pixels by which the page scrolls sideways. */
  readonly overflow: readonly string[];
  readonly hasOverride: boolean;
}

const harmScript = `(() => {
  const wide = document.documentElement.clientWidth;
  const isInScroller = (each) => each.closest('.scroll, .tabs, .menu, .hidden, svg, .skip') !== null;
  const tooLarge = [...document.querySelectorAll('#console *')].filter((each) => {
    const { right, height, width } = each.getBoundingClientRect();
    if (width === 0 || isInScroller(each)) return false;
    return right > wide + 1 && getComputedStyle(each).position !== 'absolute';
  });
  const rows = [...document.querySelectorAll('tbody tr, .notice, .banner, .popover button')];
  const tall = rows.filter((each) => each.getBoundingClientRect().height > 260);
  const tables = [...document.querySelectorAll('table')].filter((each) => each.offsetWidth > 4_000);
  const name = (each) => each.tagName + '.' + each.className + ' ' + each.textContent.slice(0, 40);
  return {
    elements: [...document.querySelectorAll('[onerror], img[src=x], body script, a[href^=javascript]')]
      .map((each) => each.outerHTML.slice(0, 80)),
    hasRun: 'hacked' in window,
    overflow: [
      ...(document.documentElement.scrollWidth > wide ? ['page ' + document.documentElement.scrollWidth] : []),
      ...[...tooLarge, ...tall, ...tables].slice(0, 5).map(name),
    ],
    hasOverride: /[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.querySelector('#console').textContent),
  };
})()`;

export function findHarm(page: Page): Promise<Harm> {
  return page.evaluate<Harm>(harmScript);
}

export const noHarm: Harm = { elements: [], hasRun: false, overflow: [], hasOverride: false };

const markup = '"><img src=x onerror="hacked=1"><script>hacked=1</script>javascript:hacked=1';

/** Texts that would harm a page that is not careful, by what they try. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'markup and a right-to-left override': `\u202e${markup}\u202e`,
  '10,000 characters': 'W'.repeat(10_000),
};
