import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { provenSlots } from './proven-views.ts';

test("slots: the proven slots are those of the compiler's layout", () => {
  const layoutOf = (name: string) =>
    JSON.parse(
      readFileSync(new URL(`../../../contracts/storage/${name}.json`, import.meta.url), 'utf8'),
    ) as Readonly<Record<string, number>>;
  const [vault, router] = [layoutOf('SpotVault'), layoutOf('RewardRouter')];
  expect(provenSlots).toEqual({
    releaseNonces: BigInt(vault['_releaseNonces']!),
    accounted: BigInt(vault['accounted']!),
    rewardNonces: BigInt(router['_nonces']!),
  });
});
