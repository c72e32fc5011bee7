import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Abi, encodeDeployData, type Hex } from 'viem';
import { contractsFolder } from '../../../contracts/compile-contracts.ts';
import type { DevelopmentClient } from '../../../src/chain/development/deploy-contracts.ts';
import { minedReceipt } from '../../../src/chain/development/mined-receipt.ts';

interface Output {
  readonly contracts: Readonly<
    Record<
      string,
      Record<string, { readonly abi: Abi; readonly evm: { readonly bytecode: { object: string } } }>
    >
  >;
}

/** A multisig of some of the chain's own accounts. */
export class Multisig {
  readonly address: Hex;
  readonly #client: DevelopmentClient;
  readonly #abi: Abi;

  private constructor(client: DevelopmentClient, address: Hex, abi: Abi) {
    this.#client = client;
    this.address = address;
    this.#abi = abi;
  }

  static async deploy(
    client: DevelopmentClient,
    owners: readonly Hex[],
    threshold: bigint,
  ): Promise<Multisig> {
    const file = 'Multisig.sol';
    const content = readFileSync(join(contractsFolder, 'test', 'support', file), 'utf8');
    const settings = {
      evmVersion: 'cancun',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    };
    const input = { language: 'Solidity', sources: { [file]: { content } }, settings };
    const solc = createRequire(import.meta.url)('solc') as { compile(text: string): string };
    const { contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
    const compiled = contracts[file]?.['Multisig'];
    if (compiled === undefined) throw new Error('the multisig does not compile');
    const { abi, evm } = compiled;
    const data = encodeDeployData({
      abi,
      bytecode: `0x${evm.bytecode.object}`,
      args: [owners, threshold],
    });
    const hash = await client.sendTransaction({ account: owners[0]!, chain: null, data });
    const { contractAddress } = await minedReceipt(client, hash);
    return new Multisig(client, contractAddress!, abi);
  }

  /** One owner's approval of a call; the last one that is needed makes it. */
  async confirm(owner: Hex, to: Hex, data: Hex): Promise<void> {
    const hash = await this.#client.writeContract({
      account: owner,
      chain: null,
      address: this.address,
      abi: this.#abi,
      functionName: 'confirm',
      args: [to, data],
    });
    const { status } = await minedReceipt(this.#client, hash);
    if (status !== 'success') throw new Error('the multisig was reverted');
  }
}
