import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { tokenAbi } from '../../src/chain/abi/token-abi.ts';
import { minedReceipt } from '../../src/chain/development/mined-receipt.ts';
import { toHexAddress } from '../../src/chain/evm-values.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { deployForReviews } from '../support/chain/deploy-for-reviews.ts';
import { startTestChain, type TestChain } from '../support/chain/test-chain.ts';
import {
  answer,
  browserOrReason,
  type ConsoleRig,
  enterAsOperator,
  readClipboard,
  startConsole,
  waitMs,
} from '../support/console-pages.ts';
import { openWithWallet, region } from '../support/console-wallet.ts';
import { injectWallet } from '../support/injected-wallet.ts';
import { testServiceAdminKey } from '../support/test-service.ts';
import { holdingOf } from '../support/wallet/chain-user.ts';

// A withdrawal in review at the real service: its owner's page, and the desks of two approvers whose
// wallets the service names.

const program = browserOrReason();
const oneDf = 10n ** 18n;
const approverKeys = [generatePrivateKey(), generatePrivateKey()] as const;
const approvers = approverKeys.map((key) => privateKeyToAccount(key).address);

describe.skipIf(program === null)('console: a review by two approvers', () => {
  let folder: string;
  let chain: TestChain;
  let rig: ConsoleRig;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'openbourse-console-review-'));
    chain = await startTestChain();
    rig = await startConsole(program ?? '', {
      settings: {
        CHAIN_RPC_URL: chain.proxy.url,
        CHAIN_DEPLOYMENT: await deployForReviews(chain, folder),
        CHAIN_CONFIRMATIONS: '0',
        SIGNER_PRIVATE_KEY: chain.signerKey,
        APPROVERS: approvers.join(','),
        WITHDRAWAL_REVIEW: 'true',
        CLAIM_POLL_INTERVAL_MS: '50',
        SPOT_WITHDRAW_TOKENS: 'DF:1,USDT:1',
      },
    });
    // Nothing is signed before the contracts have been checked once.
    await vi.waitFor(
      async () => {
        const text = await (await fetch(`${rig.service.url}/readyz`)).text();
        expect(text).toContain('"chain":{"state":"ready"');
      },
      { timeout: waitMs, interval: 100 },
    );
  });
  afterAll(async () => {
    await rig.close();
    await chain.close();
    rmSync(folder, { recursive: true });
  });

  /** The owner's page after a deposit of 50 DF, of which 20 are asked for. */
  async function askFor20Df() {
    const options = { rpcUrl: chain.rpcUrl };
    const owner = await openWithWallet(rig, '/wallet', options);
    const [minter] = await chain.client.getAddresses();
    const hash = await chain.client.writeContract({
      account: minter as `0x${string}`,
      chain: null,
      address: toHexAddress(chain.contracts.df),
      abi: tokenAbi,
      functionName: 'mint',
      args: [toHexAddress(owner.wallet.address as Address), 50n * oneDf],
    });
    await minedReceipt(chain.client, hash);
    const { page } = owner;
    const deposit = region(page, 'Deposit');
    await deposit.getByLabel('Token').selectOption('df');
    await deposit.getByRole('textbox', { name: 'Amount' }).fill('50');
    await deposit.getByRole('button', { name: 'Deposit' }).click();
    await page.getByText('Your deposit of 50 DF is credited.').first().waitFor();
    const panel = region(page, 'Withdraw');
    await panel.getByRole('textbox', { name: 'Amount' }).fill('20');
    await panel.getByRole('button', { name: 'Withdraw' }).click();
    await answer(page, 'Withdraw');
    await panel.locator('[aria-current=step]', { hasText: 'Review by two people' }).waitFor();
    return { ...owner, panel };
  }

  /** An approver's desk at the withdrawal of an account. */
  async function openDesk(key: (typeof approverKeys)[number], account: string) {
    const opened = await rig.open('/status');
    const { page, context } = opened;
    const options = { privateKey: key, rpcUrl: chain.rpcUrl };
    await injectWallet(context, rig.service.url, options);
    await page.goto(`${rig.service.url}/admin`);
    await enterAsOperator(page, testServiceAdminKey);
    await page.getByRole('tab', { name: 'Reviews' }).click();
    const row = page.getByRole('row', { name: new RegExp(account) });
    await row.getByRole('button', { name: 'Decide' }).click();
    return { ...opened, panel: page.getByRole('region', { name: 'Decide on a withdrawal' }) };
  }

  /** What a desk copies for another. */
  async function copied(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Copy for a colleague' }).click();
    await expect.poll(() => readClipboard(page)).toMatch(/^{/);
    return readClipboard(page);
  }

  /** Both desks sign; the second one has both signatures. */
  async function signAtBothDesks(account: string, button: RegExp, reason = '') {
    const first = await openDesk(approverKeys[0], account);
    if (reason !== '') await first.panel.getByLabel(/Reason for refusing/).fill(reason);
    await first.panel.getByRole('button', { name: button }).click();
    const text = await copied(first.page);
    const second = await openDesk(approverKeys[1], account);
    await second.panel.getByLabel(/colleague/).fill(text);
    await second.panel.getByRole('button', { name: 'Add' }).click();
    await second.panel.getByRole('button', { name: button }).click();
    return { first, second };
  }

  test('console: two approvers sign at their desks, the owner has it signed and is paid', async () => {
    const owner = await askFor20Df();
    const { address } = owner.wallet;
    const { first, second } = await signAtBothDesks(address, /^Sign the approval/);
    await second.panel.getByRole('button', { name: 'Approve: 2 of 2 signatures' }).click();
    await answer(second.page, 'Confirm');
    await second.page
      .getByText(/^Done: Approve the withdrawal of 20 DF/)
      .first()
      .waitFor();

    await owner.panel.getByRole('button', { name: 'Request signature for 20 DF' }).click();
    await owner.panel.getByRole('button', { name: 'Send 20 DF' }).click();
    await owner.page.getByText('Your withdrawal of 20 DF is paid.').first().waitFor();
    expect(await holdingOf(chain, chain.contracts.df, address as Address)).toBe(20n * oneDf);
    for (const each of [owner, first, second]) {
      expect(each.complaints).toEqual([]);
      await each.close();
    }
  });

  test('console: two approvers refuse with the same words, and the owner gets the amount back', async () => {
    const owner = await askFor20Df();
    const { address } = owner.wallet;
    const why = 'the owner did not ask for it';
    const { first, second } = await signAtBothDesks(address, /^Sign the refusal/, why);
    await second.panel.getByRole('button', { name: 'Refuse: 2 of 2 signatures' }).click();
    await answer(second.page, 'Confirm');
    const told = 'Your withdrawal of 20 DF is returned; the amount is available again.';
    await owner.page.getByText(told).first().waitFor();
    await region(owner.page, 'Withdrawals').first().getByText('returned').waitFor();
    const balance = region(owner.page, 'Balances')
      .first()
      .getByRole('row', { name: /Spot DF/ });
    await balance.getByText('50', { exact: true }).waitFor();
    for (const each of [owner, first, second]) await each.close();
  });
});
