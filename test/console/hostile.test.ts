import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findHarm, hostileAnswers, hostileTexts, noHarm } from '../support/console-hostile.ts';
import { consolePaths, enterAsOperator } from '../support/console-pages.ts';
import { describeFakeConsole } from '../support/console-suites.ts';

// Names, labels, notes and reasons that others choose are text on every page, whatever is in them.

const tabs = ['Markets', 'Users', 'Points', 'Claims', 'Money', 'Reviews', 'Audit'];

/** Where the fixed data contains texts of others. */
const pagesOfForeignWords = [
  '/referral',
  '/points',
  '/keys',
  'Users',
  'Points',
  'Claims',
  'Money',
  'Audit',
];

/** Two wallets, of which the second takes the identifier of the first and a harmful name and icon. */
const walletScript = (text: string) => `{
  const announce = (info) => dispatchEvent(new CustomEvent('eip6963:announceProvider', {
    detail: Object.freeze({ info, provider: { request: () => Promise.reject({ code: 1, message: info.name }) } }),
  }));
  const icon = "javascript:hacked=1";
  const svg = 'data:image/svg+xml,' + encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" onload="parent.hacked=1"><script>parent.hacked=1</script></svg>',
  );
  const both = () => {
    announce({ uuid: 'first', rdns: 'test.wallet', name: 'Honest wallet', icon: svg });
    announce({ uuid: 'second', rdns: 'test.wallet', name: ${JSON.stringify(text)}, icon });
  };
  addEventListener('eip6963:requestProvider', both);
}`;

describeFakeConsole('console: hostile words', (rig) => {
  function answerWith(text: string): void {
    hostileAnswers(text).forEach((answer, key) => rig.fake.answers.set(key, answer));
  }

  async function expectHarmless(page: Page, where: string): Promise<void> {
    for (const width of [1_440, 360]) {
      await page.setViewportSize({ width, height: 900 });
      // The chart follows the size of the page a moment later.
      await expect
        .poll(async () => [where, width, await findHarm(page)])
        .toEqual([where, width, noHarm]);
    }
    await page.setViewportSize({ width: 1_440, height: 900 });
  }

  /** The beginning of a text as a page shows it. */
  const beginning = (text: string) => text.replace(/\p{Bidi_C}/gu, '').slice(0, 10);

  test.each(Object.entries(hostileTexts))(
    'console: %s in the words of others is shown as text, runs nothing and moves nothing',
    async (_name, text) => {
      answerWith(text);
      const { page, complaints, close } = await rig.openSignedIn('/');
      const shown: string[] = [];
      for (const path of consolePaths.filter((each) => each !== '/admin')) {
        await page.goto(rig.fake.url + path);
        await page.getByText(/^Live/).waitFor();
        await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
        await expectHarmless(page, path);
        if (await page.getByText(beginning(text)).count()) shown.push(path);
      }
      await page.goto(`${rig.fake.url}/admin`);
      await enterAsOperator(page);
      for (const tab of tabs) {
        await page.getByRole('tab', { name: tab }).click();
        await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
        await expectHarmless(page, tab);
        if (await page.getByText(beginning(text)).count()) shown.push(tab);
      }
      expect(shown).toEqual(pagesOfForeignWords);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test.each(Object.entries(hostileTexts))(
    'console: a wallet that announces %s, or the identifier of another, does not replace that one',
    async (_name, text) => {
      const { page, context, complaints, close } = await rig.open('/icon.svg');
      await context.addInitScript(walletScript(text));
      await page.goto(rig.fake.url);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('button', { name: 'Honest wallet' }).waitFor();
      const hostile = page.getByRole('button', { name: beginning(text) });
      expect(await page.locator('.popover button img').count()).toBe(1);
      await expectHarmless(page, 'menu');
      // What it says of its failure is a sentence of the page.
      await hostile.click();
      await page
        .getByText(/^Your wallet says:/)
        .first()
        .waitFor();
      await expectHarmless(page, 'notice');
      await page.getByRole('button', { name: /^log/ }).click();
      await page.getByRole('dialog').getByText('Your wallet says:').waitFor();
      await expectHarmless(page, 'log');
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test.each(Object.entries(hostileTexts))(
    'console: %s in the label of a key is text in the question before its deletion',
    async (_name, text) => {
      answerWith(text);
      const { page, complaints, close } = await rig.openSignedIn('/keys');
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByText(beginning(text)).waitFor();
      await expectHarmless(page, 'question');
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test.each(Object.entries(hostileTexts))(
    'console: %s in an address of the page is text',
    async (_name, text) => {
      const { page, complaints, close } = await rig.openSignedIn('/');
      const word = encodeURIComponent(text);
      for (const path of [
        `/trade/${word}`,
        `/futures/${word}`,
        `/${word}`,
        `/referral?code=${word}`,
      ]) {
        await page.goto(rig.fake.url + path);
        await page.getByText(/^Live/).waitFor();
        await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
        await expectHarmless(page, path.slice(0, 30));
      }
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test('console: the page may only write to the clipboard, of all that a browser offers', async () => {
    const { page, close } = await rig.open('/');
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.reload();
    await page.getByText(/^Live/).waitFor();
    const allowed = await page.evaluate<readonly string[]>(
      'document.featurePolicy.allowedFeatures()',
    );
    // Its header would name a feature that this browser does not know.
    expect(said.filter((text) => text.includes('Permissions-Policy'))).toEqual([]);
    const powers = ['camera', 'microphone', 'geolocation', 'usb', 'hid', 'serial', 'payment'];
    const others = ['clipboard-read', 'local-network', 'display-capture', 'fullscreen'];
    const watched = [...powers, ...others, 'clipboard-write'];
    expect(watched.filter((name) => allowed.includes(name))).toEqual(['clipboard-write']);
    await close();
  });
});
