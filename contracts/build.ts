import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { artifactsOf, compileContracts, contractsFolder } from './compile-contracts.ts';

// Writes the build outputs of the contracts: contracts/abi/<name>.json for wallets and clients,
// contracts/bytecode/<name>.json for deployment and for checking a chain's code,
// contracts/storage/<name>.json for proofs of single values.

new Command('contracts:build')
  .description('Compile the contracts and write their ABIs, bytecode and storage layouts.')
  .parse();

for (const contract of compileContracts()) {
  for (const [folder, content] of Object.entries(artifactsOf(contract))) {
    mkdirSync(join(contractsFolder, folder), { recursive: true });
    writeFileSync(
      join(contractsFolder, folder, `${contract.name}.json`),
      `${JSON.stringify(content, null, 2)}\n`,
    );
  }
  process.stdout.write(`${contract.name}: ${contract.runtimeBytes} bytes\n`);
}
