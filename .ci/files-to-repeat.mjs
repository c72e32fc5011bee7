// Prints the test files of one run of the suite that have to run once more: those with a failed test,
// and those in which Vitest found an error outside of any test. Nothing: no file can be named.
//
//     node files-to-repeat.mjs <vitest's JSON report> <vitest's output>

import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [reportPath, outputPath] = process.argv.slice(2);
const report = JSON.parse(readFileSync(reportPath, 'utf8'));
const output = readFileSync(outputPath, 'utf8').replace(/\x1b\[[0-9;]*m/g, '');
const failed = report.testResults
  .filter((file) => file.status === 'failed')
  .map((file) => relative(process.cwd(), file.name));
const origins = [...output.matchAll(/originated in "([^"]+)" test file/g)].map(([, file]) => file);
for (const file of new Set([...failed, ...origins])) console.log(file);
