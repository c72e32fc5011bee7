import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Hex, keccak256, recoverAddress, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createSoftHsm,
  missingForSoftHsm,
  type SoftHsm,
  softHsmModule,
} from '../../../test/support/soft-hsm.ts';
import { createRemoteSigner } from '../../chain/signers/remote-signer.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { SignerPolicy } from '../policy-file.ts';
import { createSignerLog, openSignerLog } from '../signer-log.ts';
import { startSignerServer } from '../signer-server.ts';
import { SigningService } from '../signing-service.ts';
import { openKeys } from './open-keys.ts';
import { createPkcs11Key, openPkcs11Key } from './pkcs11-key.ts';
import { openPkcs11Module, pkcs11 } from './pkcs11-module.ts';

const pin = '1234';
const place = { module: softHsmModule, token: 'exchange', pin };
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

const absent = missingForSoftHsm();

describe.skipIf(absent !== null)(
  absent === null ? 'keys in SoftHSM' : `keys in SoftHSM (skipped without: ${absent})`,
  () => {
    let hsm: SoftHsm;
    let folder: string;
    let settler: string;
    let vault: string;

    beforeAll(async () => {
      hsm = createSoftHsm(place.token, pin);
      folder = hsm.folder;
      process.env['SOFTHSM2_CONF'] = hsm.configPath;
      ({ address: settler } = await createPkcs11Key({ ...place, label: 'settler' }));
      ({ address: vault } = await createPkcs11Key({ ...place, label: 'vault' }));
    });
    afterAll(() => {
      delete process.env['SOFTHSM2_CONF'];
      hsm.remove();
    });

    test('every signature has a low s and the recovery id of its key', async () => {
      const key = await openPkcs11Key({ ...place, label: 'vault' });
      expect(key.address).toBe(vault);
      const seen = new Set<Hex>();
      for (let i = 0; i < 40; i += 1) {
        const hash = keccak256(toHex(i));
        const signature = await key.sign(hash);
        seen.add(signature.slice(-2) as Hex);
        expect(BigInt(`0x${signature.slice(66, 130)}`)).toBeLessThanOrEqual(halfOrder);
        expect((await recoverAddress({ hash, signature })).toLowerCase()).toBe(vault);
      }
      expect([...seen].sort()).toEqual(['1b', '1c']);
    });

    test('two signatures of one digest differ, and both are valid', async () => {
      const key = await openPkcs11Key({ ...place, label: 'vault' });
      const hash = keccak256('0x01');
      const signatures = [await key.sign(hash), await key.sign(hash)];
      expect(signatures[0]).not.toBe(signatures[1]);
    });

    test('a key is not created twice, and a missing one is named', async () => {
      await expect(createPkcs11Key({ ...place, label: 'vault' })).rejects.toThrow('already');
      await expect(openPkcs11Key({ ...place, label: 'other' })).rejects.toThrow('key other');
      const stranger = openPkcs11Key({ ...place, token: 'none', label: 'vault' });
      await expect(stranger).rejects.toThrow('not one token none');
    });

    test('the signer process signs claims, releases and transactions with them', async () => {
      writeFileSync(join(folder, 'pin'), `${pin}\n`, { mode: 0o600 });
      const policy = policyIn(folder, { settler, vault });
      const keys = await openKeys(policy.keys, (path) => join(folder, path));
      createSignerLog(policy.log, 1_800_000_000);
      const log = openSignerLog(policy.log);
      const now = 1_800_000_000;
      const service = new SigningService({ policy, log, keys, now: () => now });
      const server = await startSignerServer(service, { listen: policy.listen, token: null });
      const signerFor = (address: string) =>
        createRemoteSigner({ url: policy.listen, address: address as Address, token: null });
      const deadline = BigInt(now + 600);
      const voucher = { account: token, value: 1n, nonce: 0n, deadline };
      // The client checks each answer: who signed, over what, and the form.
      await signerFor(vault).signRelease(domain, { ...voucher, token });
      const { bytes } = await signerFor(settler).signTransaction(1, {
        nonce: 0,
        to: settler as Address,
        data: '0x',
        gasLimit: 21_000n,
        maxFeePerGas: 9n,
        maxPriorityFeePerGas: 1n,
      });
      expect(bytes).toMatch(/^0x02/);
      expect(log.length).toBe(2);
      server.close();
      log.close();
    });

    test('a wrong address in the policy is refused at the start, naming the right one', async () => {
      const policy = policyIn(folder, { settler: vault, vault: settler });
      await expect(openKeys(policy.keys, (path) => join(folder, path))).rejects.toThrow(
        `the settler key has the address ${settler}, the policy says ${vault}`,
      );
    });

    test('the private key cannot be read from the token', async () => {
      const module = await openPkcs11Module(softHsmModule);
      const slots = module.C_GetSlotList(true);
      const [slot] = slots.filter(
        (each) => module.C_GetTokenInfo(each).label.trim() === 'exchange',
      );
      const session = module.C_OpenSession(slot as Buffer, pkcs11.CKF_SERIAL_SESSION);
      module.C_FindObjectsInit(session, [
        { type: pkcs11.CKA_CLASS, value: pkcs11.CKO_PRIVATE_KEY },
      ]);
      const keys = module.C_FindObjects(session, 10);
      module.C_FindObjectsFinal(session);
      expect(keys).toHaveLength(2);
      const privateValue = 0x11;
      for (const key of keys) {
        const [extractable] = module.C_GetAttributeValue(session, key, [
          { type: pkcs11.CKA_EXTRACTABLE },
        ]);
        expect(extractable?.value).toEqual(Buffer.of(0));
        const read = () => module.C_GetAttributeValue(session, key, [{ type: privateValue }]);
        expect(read).toThrow('CKR_ATTRIBUTE_SENSITIVE');
      }
    });
  },
);

const token = `0x${'a3'.repeat(20)}` as Address;
const domain = { name: 'SpotVault', chainId: 1, verifyingContract: token };

function policyIn(
  folder: string,
  addresses: { readonly settler: string; readonly vault: string },
): SignerPolicy {
  const inToken = (label: 'settler' | 'vault') => ({
    role: label,
    address: addresses[label],
    pkcs11: { module: softHsmModule, token: place.token, label, pinFile: 'pin' },
  });
  return {
    listen: `unix:${join(folder, 'signer.sock')}`,
    tokenFile: null,
    log: join(folder, 'signer.log'),
    chainId: 1,
    keys: [inToken('settler'), inToken('vault')],
    reward: { domain: { name: 'ReferralRewardRouter', contract: token }, perAccountAndHour: 3 },
    vault: {
      domain: { name: domain.name, contract: token },
      approvers: [],
      tokens: [{ token, one: '100', account: '50', all: '200', approveFrom: '40' }],
    },
    transactions: { allowed: [], gasMax: '1000000', feePerGasMax: '1000' },
  };
}
