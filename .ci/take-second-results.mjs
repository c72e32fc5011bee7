// Puts the results of the files that ran once more in the place of their first ones.
//
//     node take-second-results.mjs <first JSON report> <second JSON report>

import { readFileSync, writeFileSync } from 'node:fs';

const [firstPath, secondPath] = process.argv.slice(2);
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const [first, second] = [read(firstPath), read(secondPath)];
const repeated = new Set(second.testResults.map((file) => file.name));
first.testResults = [
  ...first.testResults.filter((file) => !repeated.has(file.name)),
  ...second.testResults,
];
writeFileSync(firstPath, JSON.stringify(first));
