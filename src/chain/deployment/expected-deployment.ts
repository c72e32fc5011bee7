// What a manifest says of a chain, as far as the chain can be compared with it. Addresses and
// hashes are lowercase hex, amounts decimal numbers of the token.

export type ContractName = 'rewardRouter' | 'referralRebate' | 'spotVault';

interface ExpectedContract {
  readonly address: string;
  readonly startBlock: number;
  /** Hash of the runtime code; null if it is not checked. */
  readonly codeHash: string | null;
  readonly predecessor: string | null;
}

interface ExpectedRoles {
  readonly owner: string;
  readonly council: string;
  readonly guardian: string;
  readonly settler: string;
  readonly rewardSigner: string;
  readonly vaultSigner: string;
  readonly coldWallet: string;
}

interface ExpectedLimit {
  readonly I: string;
  readonly W: string;
  /** Seconds. */
  readonly D: number;
  readonly F: string;
  readonly H: string;
}

export interface ExpectedAsset {
  readonly symbol: string;
  readonly address: string;
  readonly decimals: number;
  readonly limit?: ExpectedLimit | undefined;
}

export interface ExpectedDeployment {
  readonly chainId: number;
  readonly kind: 'main' | 'test';
  readonly finality: 'finalized' | 'safe' | 'confirmations';
  readonly proofs: 'required' | 'quorum';
  /** In USDT; absent: only that there is a limit is expected. */
  readonly settlementMax?: string | undefined;
  readonly contracts: Readonly<Record<ContractName, ExpectedContract>>;
  readonly roles?: ExpectedRoles | undefined;
  readonly assets: readonly ExpectedAsset[];
}

/** What a difference is about; a fault of an asset concerns that asset alone. */
export type CheckedPart = ContractName | 'timelock' | 'node' | 'asset';

/** One difference between the chain and the manifest. */
export interface DeploymentFault {
  readonly part: CheckedPart;
  /** Whether it is about who may do something. */
  readonly isRole: boolean;
  /** A sentence for operators. */
  readonly text: string;
}
