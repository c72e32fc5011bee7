import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CompiledContract, compileContracts, contractsFolder } from './compile-contracts.ts';

// Writes what the service and its users need of the contracts: contracts/abi/<name>.json for
// wallets and clients, contracts/bytecode/<name>.json for deploying to a development chain.

function writeJson(folder: string, name: string, content: unknown): void {
  mkdirSync(join(contractsFolder, folder), { recursive: true });
  writeFileSync(
    join(contractsFolder, folder, `${name}.json`),
    `${JSON.stringify(content, null, 2)}\n`,
  );
}

function writeContract({ name, abi, bytecode }: CompiledContract): void {
  writeJson('abi', name, abi);
  writeJson('bytecode', name, { bytecode });
  process.stdout.write(`${name}: ${(bytecode.length - 2) / 2} bytes of creation code\n`);
}

compileContracts().forEach(writeContract);
