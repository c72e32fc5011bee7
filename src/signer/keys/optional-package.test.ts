import { expect, test } from 'vitest';
import { importOptional } from './optional-package.ts';

test('a key whose package is not installed says how to install it', async () => {
  await expect(importOptional('pkcs11js-that-is-not-there', '2.1.7')).rejects.toThrow(
    'this key needs the package pkcs11js-that-is-not-there: ' +
      'npm install --no-save pkcs11js-that-is-not-there@2.1.7',
  );
});
