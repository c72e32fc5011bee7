import type { Page } from 'playwright-core';
import { recoverMessageAddress, recoverTypedDataAddress } from 'viem/utils';
import { expect, test } from 'vitest';
import { approvalTypedData, refusalText } from '../../src/application/admin/withdrawal-reviews.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { reviewFixtures } from '../support/console-operator-fixtures.ts';
import { answer, enterAsOperator, readClipboard } from '../support/console-pages.ts';
import { describeFakeConsole } from '../support/console-suites.ts';
import { injectWallet } from '../support/injected-wallet.ts';

// Two people at two desks decide on a withdrawal with their wallets; what the page sends is judged
// by what the service would recover from it.

const [review] = reviewFixtures;

describeFakeConsole('console: withdrawals in review', (rig) => {
  /** A desk with its own wallet, at the withdrawal. */
  async function openDesk() {
    const opened = await rig.open('/status');
    const { page, context } = opened;
    const wallet = await injectWallet(context, rig.fake.url);
    await page.goto(`${rig.fake.url}/admin`);
    await enterAsOperator(page);
    await page.getByRole('tab', { name: 'Reviews' }).click();
    await page.getByRole('button', { name: 'Decide' }).first().click();
    const panel = page.getByRole('region', { name: 'Decide on a withdrawal' });
    await panel.waitFor();
    return { ...opened, wallet, panel };
  }

  /** What a desk copies for another. */
  async function copied(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Copy for a colleague' }).click();
    await expect.poll(() => readClipboard(page)).toMatch(/^{/);
    return readClipboard(page);
  }

  function bodyOf(page: Page, verb: string): Promise<Readonly<Record<string, never>>> {
    const path = `/api/v1/admin/withdrawals/${review.id}/${verb}`;
    rig.fake.answers.set(`POST ${path}`, { status: 200, body: { ok: true } });
    return page
      .waitForRequest((request) => request.url().endsWith(path))
      .then((request) => request.postDataJSON() as Readonly<Record<string, never>>);
  }

  test('console: two wallets sign ApproveRelease in two browsers, and one browser sends both', async () => {
    const first = await openDesk();
    await first.panel.getByRole('button', { name: /^Sign the approval/ }).click();
    const text = await copied(first.page);
    const second = await openDesk();
    const approve = second.panel.getByRole('button', { name: /^Approve/ });
    await second.panel.getByLabel(/colleague/).fill('no signature');
    await second.panel.getByRole('button', { name: 'Add' }).click();
    await second.page.getByText('This is not a signature for this withdrawal.').first().waitFor();
    await second.panel.getByLabel(/colleague/).fill(text);
    await second.panel.getByRole('button', { name: 'Add' }).click();
    expect(await approve.isDisabled()).toBe(true);
    await second.panel.getByRole('button', { name: /^Sign the approval/ }).click();
    await second.panel.getByText('Approve: 2 of 2 signatures').waitFor();
    const sent = bodyOf(second.page, 'approve');
    await approve.click();
    await answer(second.page, 'Confirm');
    const { approvals } = (await sent) as unknown as {
      approvals: readonly { expires: number; signature: `0x${string}` }[];
    };
    const signers = await Promise.all(
      approvals.map(async ({ expires, signature }) => {
        expect(expires * 1_000 - Date.now()).toBeGreaterThan(72 * 3_600_000);
        const data = approvalTypedData(
          { chainId: review.chain_id, vaultDomainName: review.domain_name },
          {
            id: review.id,
            account: review.account as Address,
            tokenAddress: review.token_address as Address,
            rawAmount: BigInt(review.raw_amount),
            contractAddress: review.contract_address as Address,
          },
          expires,
        );
        return (await recoverTypedDataAddress({ ...data, signature })).toLowerCase();
      }),
    );
    expect(signers).toEqual([first.wallet.address, second.wallet.address]);
    await second.page
      .getByText(/^Done: Approve the withdrawal of 25000 USDT/)
      .first()
      .waitFor();
    expect([...first.complaints, ...second.complaints]).toEqual([]);
    await first.close();
    await second.close();
  });

  test('console: a refusal needs a reason, and both approvers sign the same one', async () => {
    const first = await openDesk();
    const sign = first.panel.getByRole('button', { name: /^Sign the refusal/ });
    expect(await sign.isDisabled()).toBe(true);
    await first.panel.getByLabel(/Reason for refusing/).fill('the owner did not ask for it');
    await sign.click();
    const text = await copied(first.page);
    const second = await openDesk();
    await second.panel.getByLabel(/colleague/).fill(text);
    await second.panel.getByRole('button', { name: 'Add' }).click();
    await second.panel.getByRole('button', { name: /^Sign the refusal/ }).click();
    await second.panel.getByText('Refuse: 2 of 2 signatures').waitFor();
    const sent = bodyOf(second.page, 'refuse');
    await second.panel.getByRole('button', { name: /^Refuse/ }).click();
    await answer(second.page, 'Confirm');
    const body = (await sent) as unknown as { reason: string; approvals: readonly `0x${string}`[] };
    const message = refusalText(review.chain_id, review.id, body.reason);
    const signers = await Promise.all(
      body.approvals.map((signature) => recoverMessageAddress({ message, signature })),
    );
    expect(signers.map((each) => each.toLowerCase())).toEqual([
      first.wallet.address,
      second.wallet.address,
    ]);
    await first.close();
    await second.close();
  });

  test('console: an approver who refuses in the wallet has signed nothing', async () => {
    const { page, panel, wallet, close } = await openDesk();
    wallet.isRefusing = true;
    await panel.getByRole('button', { name: /^Sign the approval/ }).click();
    await page.getByText('You rejected it in your wallet.').first().waitFor();
    await panel.getByText('Approve: 0 of 2 signatures').waitFor();
    await close();
  });
});
