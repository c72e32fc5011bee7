import { workerData } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

// A thread does not inherit the loader that reads TypeScript, so it starts here.
register();
await import(workerData.module);
