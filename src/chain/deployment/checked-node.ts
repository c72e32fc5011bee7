import { type Hex } from 'viem';
import { type Address } from '../../domain/identifiers.ts';
import { type ChainNode } from '../node/chain-node.ts';

/** What the check needs of a node. */
export interface CheckedNode
  extends Pick<
    ChainNode,
    'loadChainId' | 'loadCode' | 'call' | 'loadHead' | 'loadFinal' | 'findHeader'
  > {
  /** Whether a slot of the contract is proven at the block; absent if nothing is proven. */
  readonly provesSlot?:
    | ((
        contract: Address,
        block: { readonly number: number; readonly hash: Hex },
      ) => Promise<boolean>)
    | undefined;
}
