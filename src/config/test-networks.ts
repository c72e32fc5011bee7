// Money of a test network has no price, so it can only be given away there. A chain that is not on
// the list is assumed to have real money.

export type NetworkKind = 'test' | 'main';

const testNetworks: ReadonlyMap<number, string> = new Map([
  [31_337, 'a development chain'],
  [11_155_111, 'Sepolia'],
  [17_000, 'Holesky'],
  [560_048, 'Hoodi'],
  [97, 'BNB Smart Chain testnet'],
  [300, 'ZKsync Sepolia'],
  [43_113, 'Avalanche Fuji'],
  [59_141, 'Linea Sepolia'],
  [80_002, 'Polygon Amoy'],
  [84_532, 'Base Sepolia'],
  [421_614, 'Arbitrum Sepolia'],
  [534_351, 'Scroll Sepolia'],
  [11_155_420, 'OP Sepolia'],
]);

/** `test` if the chain's money has no value. */
export function networkKind(chainId: number): NetworkKind {
  return testNetworks.has(chainId) ? 'test' : 'main';
}
