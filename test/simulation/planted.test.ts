import { describe, expect, it } from 'vitest';
import { engineFaults } from './planted/engine-faults.ts';
import { gatewayFaults } from './planted/gateway-faults.ts';
import { plantInto, simulatePlanted } from './planted/plant.ts';
import { planted } from './planted/planted.ts';

const enoughMs = 300_000;
const all = [...engineFaults, ...gatewayFaults, ...planted];

describe('faults that are planted into a copy of the exchange', () => {
  it.each(all)('planted: the lines of "$name" still exist', async (fault) => {
    expect(await plantInto(fault)).toContain(fault.to);
  });

  it.concurrent.each(all)(
    'planted: "$name" is found within $seeds seeds',
    async (fault) => {
      const finding = await simulatePlanted(fault);
      expect(finding).not.toBeNull();
      expect(fault.oracles).toContain(finding!.oracle);
      expect(finding!.seed).toBeLessThanOrEqual(fault.seeds);
    },
    enoughMs,
  );
});
