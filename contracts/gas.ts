import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { compareGas, gasFile, measureGas, readGasFile } from './gas-report.ts';
import { findForge } from './mutation/find-forge.ts';

// npm run contracts:gas -- [--update]

const command = new Command('contracts:gas')
  .description('Compare what the calls of the contracts cost with contracts/gas.json.')
  .option('--update', 'write what they cost now')
  .allowExcessArguments(false)
  .parse();

const forge = findForge();
if (forge === null) command.error('contracts:gas: there is no forge for this platform');
const now = measureGas(forge ?? '');
if (command.opts<{ readonly update?: true }>().update === true) {
  writeFileSync(gasFile, `${JSON.stringify(now, null, 2)}\n`);
} else {
  const differences = compareGas(readGasFile(), now);
  for (const difference of differences) process.stdout.write(`${difference}\n`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}
