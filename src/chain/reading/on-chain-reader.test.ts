import { encodeAbiParameters, type Hex, toFunctionSelector } from 'viem';
import { expect, test } from 'vitest';
import type { Address } from '../../domain/identifiers.ts';
import type { ChainAccess, ChainConnection } from '../chain-connection.ts';
import type { ChainCall } from '../node/chain-node.ts';
import { ChainReader } from './on-chain-reader.ts';

const address = (byte: string) => `0x${byte.repeat(20)}` as Address;
const [router, register, settler, reward, stranger] = ['a1', 'a2', 'b1', 'b2', 'c1'].map(
  address,
) as [Address, Address, Address, Address, Address];

const operator = toFunctionSelector('operator()');
const settlerOf = toFunctionSelector('settler()');
/** The addresses that each contract names, by contract and selector. */
const sound = new Map<string, Address>([
  [`${router} ${operator}`, reward],
  [`${router} ${settlerOf}`, settler],
  [`${register} ${operator}`, settler],
]);

function readerOf(named: ReadonlyMap<string, Address>, version: 1 | 2): ChainReader {
  const node = {
    call: ({ to, data }: ChainCall): Promise<Hex> => {
      const found = named.get(`${to} ${data}`);
      if (found === undefined) throw new Error(`no ${data} of ${to}`);
      return Promise.resolve(encodeAbiParameters([{ type: 'address' }], [found as Hex]));
    },
  };
  const signers = { settler: { address: settler }, reward: { address: reward } };
  const contracts = { rewardRouter: router, referralRebate: register };
  const connection = { node, contracts, signers, version } as unknown as ChainConnection;
  return new ChainReader({ connection } as unknown as ChainAccess);
}

test('operator status: shows the reward signer, and all three keys must be those configured', async () => {
  const standing = { operator: reward, contract: register };
  expect(await readerOf(sound, 2).loadOperatorStatus()).toEqual({ ...standing, isOperator: true });
  for (const place of sound.keys()) {
    const named = new Map([...sound, [place, stranger]]);
    expect(await readerOf(named, 2).loadOperatorStatus()).toEqual({
      ...standing,
      isOperator: false,
    });
  }
});

test('operator status: in the first version the operator settles', async () => {
  const first = new Map([
    [`${router} ${operator}`, settler],
    [`${register} ${operator}`, settler],
  ]);
  expect(await readerOf(first, 1).loadOperatorStatus()).toMatchObject({ isOperator: false });
});
