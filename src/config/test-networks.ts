// Money of a test network has no price, so only there may it be given away. A chain that is not
// on the list is taken for one whose money is real.

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

/** Whether a chain's money is worthless. */
export function networkKind(chainId: number): NetworkKind {
  return testNetworks.has(chainId) ? 'test' : 'main';
}
