import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Hex, parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../architecture/source-files.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { MainNetwork } from '../support/chain/main-network.ts';
import { readNamedBlocks } from '../support/document-blocks.ts';

anvilSuite('gas:topup', () => {
  let network: MainNetwork;
  let manifest: string;

  beforeAll(async () => {
    network = await MainNetwork.start();
    ({ path: manifest } = await network.deploy());
  });
  afterAll(() => network.stop());

  async function run(): Promise<string> {
    const block = readNamedBlocks('docs/operations.md').get('gas-topup') ?? 'exit 1';
    const env = { ...process.env, CHAIN: network.anvil.rpcUrl, MANIFEST: manifest };
    const options = { cwd: projectRoot, env };
    return (await promisify(execFile)('bash', ['-euc', block], options)).stdout;
  }

  test('gas:topup: it prints what the council sends, so that the settler has coin for ten days', async () => {
    const { address } = network.settler.account;
    const perDay = parseEther('0.5');
    await network.chain.setBalance({ address, value: parseEther('1.25') });
    const [, to, value] = /^the council sends: to (0x\w+) value (\d+) /m.exec(await run()) ?? [];
    expect(to).toBe(address.toLowerCase());
    const [from] = network.owners;
    const sending = { account: from!, chain: null, to: to as Hex, value: BigInt(value ?? 0) };
    await network.chain.sendTransaction(sending);
    await expect.poll(() => network.client.getBalance({ address })).toBe(10n * perDay);
    expect(await run()).toContain('nothing to send');
  });
});
