// Prints how many tests of one run of the suite passed and failed, and adds what failed to a list,
// each test with its file and the beginning of its reason. A file that could not run counts as one.
//
//     node suite-result.mjs <vitest's JSON report> <list>

import { appendFileSync, readFileSync } from 'node:fs';

const [reportPath, listPath] = process.argv.slice(2);
const report = JSON.parse(readFileSync(reportPath, 'utf8'));
const firstLines = (text) => text.split('\n').slice(0, 30).join('\n');
const failures = [];

for (const file of report.testResults) {
  const tests = file.assertionResults.filter((test) => test.status === 'failed');
  for (const test of tests) {
    failures.push(`-- ${file.name}: ${test.fullName}\n${firstLines(test.failureMessages.join('\n'))}\n`);
  }
  if (file.status === 'failed' && file.assertionResults.length === 0) {
    failures.push(`-- ${file.name}\n${firstLines(file.message)}\n`);
  }
}
appendFileSync(listPath, failures.join(''));
console.log(report.numPassedTests, failures.length);
