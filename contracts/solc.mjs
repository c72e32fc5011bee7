#!/usr/bin/env node
// The part of the native compiler's command line that forge uses, over npm's solc.
import { readFileSync } from 'node:fs';
import solc from 'solc';

const argumentsGiven = process.argv.slice(2);
if (argumentsGiven.includes('--version')) {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`);
} else if (argumentsGiven.includes('--standard-json')) {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
} else {
  process.stderr.write('usage: solc.mjs --version | --standard-json < input.json\n');
  process.exitCode = 1;
}
