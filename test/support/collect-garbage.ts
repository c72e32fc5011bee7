import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all garbage of this process now, whatever flags it was started with. */
export const collectGarbage = runInNewContext('gc') as () => void;
