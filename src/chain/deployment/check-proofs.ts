import type { Address } from '../../domain/identifiers.ts';
import type { BlockHeader } from '../node/chain-node.ts';
import { ChainUnavailableError } from '../node/json-rpc.ts';
import type { CheckedNode } from './checked-node.ts';
import type { DeploymentFault, ExpectedDeployment } from './expected-deployment.ts';

const hourSeconds = 3_600;

/** Whether slots of the vault are proven in the final block and in one an hour older. */
export async function findProofFaults(
  node: CheckedNode,
  { contracts, finality, proofs }: ExpectedDeployment,
): Promise<readonly DeploymentFault[]> {
  const { provesSlot } = node;
  if (proofs !== 'required' || provesSlot === undefined) return [];
  const { number } =
    finality === 'confirmations'
      ? await node.loadHead()
      : { number: await node.loadFinal(finality) };
  const last = await requireHeader(node, number);
  const { address, startBlock } = contracts.spotVault;
  const older = await findHourBefore(node, last, startBlock);
  const faults: DeploymentFault[] = [];
  for (const block of older.number === last.number ? [last] : [last, older]) {
    if (await provesSlot(address as Address, block)) continue;
    const text = `the node returns no proofs for block ${block.number}`;
    faults.push({ part: 'node', isRole: false, text });
  }
  return faults;
}

/** The last block that is an hour older, but none before the vault is there. */
async function findHourBefore(
  node: CheckedNode,
  last: BlockHeader,
  startBlock: number,
): Promise<BlockHeader> {
  let [low, high] = [Math.min(startBlock, last.number), last.number];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const { timestamp } = await requireHeader(node, middle);
    if (timestamp + hourSeconds <= last.timestamp) low = middle;
    else high = middle - 1;
  }
  return requireHeader(node, low);
}

async function requireHeader(node: CheckedNode, number: number): Promise<BlockHeader> {
  const header = await node.findHeader(number);
  if (header === null) throw new ChainUnavailableError(`block ${number} is not known`);
  return header;
}
