import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractsFolder } from '../compile-contracts.ts';

// Starting forge takes longer than all tests of single functions, so one run judges all mutants by
// them: for each mutant a test that activates it and runs every test of a suite, each from the
// initial state.

export interface Harness {
  readonly file: string;
  readonly text: string;
}

/** For each suite of tests without arguments a contract with a test for each of the mutants. */
export function writeHarnesses(mutantIds: readonly number[]): readonly Harness[] {
  const folder = join(contractsFolder, 'test');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.t.sol') && !file.includes('.invariant.'))
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const suite = /^contract (\w+Test) /m.exec(text)?.[1];
      if (suite === undefined) throw new Error(`${file} has no contract of tests`);
      const tests = [...text.matchAll(/function (test_\w+)\(\)/g)].map(([, name = '']) => name);
      return { file: `${suite}.mutants.t.sol`, text: harness(suite, file, tests, mutantIds) };
    });
}

function harness(
  suite: string,
  file: string,
  tests: readonly string[],
  mutantIds: readonly number[],
): string {
  return `// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {${suite}} from "./${file}";

interface Block {
    function prevrandao(bytes32 value) external;
    function warp(uint256 time) external;
    function chainId(uint256 id) external;
}

contract ${suite}Mutants is ${suite} {
    error Passed();

    function runOne(uint256 index) external {
        setUp();
${tests.map((name, index) => `        if (index == ${index}) ${name}();`).join('\n')}
        revert Passed();
    }

    function runAll(uint256 mutant) private {
        uint256 start = block.timestamp;
        uint256 chain = block.chainid;
        Block(address(vm)).prevrandao(bytes32(mutant));
        for (uint256 i = 0; i < ${tests.length}; ++i) {
            Block(address(vm)).warp(start);
            Block(address(vm)).chainId(chain);
            try this.runOne(i) {} catch (bytes memory reason) {
                if (bytes4(reason) != Passed.selector) revert Untrue("found");
            }
        }
    }

${mutantIds.map((id) => `    function test_mutant${id}() external { runAll(${id}); }`).join('\n')}
}
`;
}
