import type { Hex } from 'viem';
import {
  type Handle,
  openPkcs11Module,
  type Pkcs11Module,
  pkcs11,
  secp256k1Parameters,
} from './pkcs11-module.ts';
import { addressOfPoint, fromRawSignature, recoverableSignature } from './recoverable-signature.ts';
import type { SigningKey } from './signing-key.ts';

// A key stored in hardware behind PKCS#11, which it never leaves.

export interface Pkcs11Place {
  /** Path of the hardware's library. */
  readonly module: string;
  /** Label of the token. */
  readonly token: string;
  readonly pin: string;
  /** Label of the private key and of its public key. */
  readonly label: string;
}

/** @throws Error if the token or the key is not there, or the PIN is wrong */
export async function openPkcs11Key(place: Pkcs11Place): Promise<SigningKey> {
  const module = await openPkcs11Module(place.module);
  const first = openKey(module, place);
  const { address } = first;
  let open: OpenKey | null = first;
  const signOnce = (digest: Hex) => {
    open ??= openKey(module, place);
    module.C_SignInit(open.session, { mechanism: pkcs11.CKM_ECDSA }, open.privateKey);
    return module.C_Sign(open.session, bytesOf(digest), Buffer.alloc(64));
  };
  return {
    address,
    sign: async (digest) => {
      let raw: Buffer;
      try {
        raw = signOnce(digest);
      } catch {
        // The hardware may have been restarted, which ends its sessions.
        open = null;
        raw = signOnce(digest);
      }
      return recoverableSignature(address, digest, fromRawSignature(raw));
    },
  };
}

/** Creates a key that cannot be extracted. @throws Error if the label is taken */
export async function createPkcs11Key(place: Pkcs11Place): Promise<{ readonly address: string }> {
  const module = await openPkcs11Module(place.module);
  const session = openSession(module, place, pkcs11.CKF_RW_SESSION);
  if (find(module, session, { objectClass: pkcs11.CKO_PRIVATE_KEY, label: place.label }).length > 0)
    throw new Error(`the token already has a key ${place.label}`);
  const common = [
    { type: pkcs11.CKA_TOKEN, value: true },
    { type: pkcs11.CKA_LABEL, value: place.label },
  ];
  const { publicKey } = module.C_GenerateKeyPair(
    session,
    { mechanism: pkcs11.CKM_EC_KEY_PAIR_GEN },
    [
      ...common,
      { type: pkcs11.CKA_VERIFY, value: true },
      { type: pkcs11.CKA_EC_PARAMS, value: secp256k1Parameters },
    ],
    [
      ...common,
      { type: pkcs11.CKA_PRIVATE, value: true },
      { type: pkcs11.CKA_SENSITIVE, value: true },
      { type: pkcs11.CKA_EXTRACTABLE, value: false },
      { type: pkcs11.CKA_SIGN, value: true },
    ],
  );
  return { address: addressOf(module, session, publicKey) };
}

interface OpenKey {
  readonly session: Handle;
  readonly privateKey: Handle;
  readonly address: string;
}

function openKey(module: Pkcs11Module, place: Pkcs11Place): OpenKey {
  const session = openSession(module, place, 0);
  const only = (objectClass: number, name: string) => {
    const [object, ...more] = find(module, session, { objectClass, label: place.label });
    if (object === undefined || more.length > 0) {
      throw new Error(
        `the token ${place.token} does not have exactly one ${name} key ${place.label}`,
      );
    }
    return object;
  };
  const privateKey = only(pkcs11.CKO_PRIVATE_KEY, 'private');
  const publicKey = only(pkcs11.CKO_PUBLIC_KEY, 'public');
  return { session, privateKey, address: addressOf(module, session, publicKey) };
}

function openSession(module: Pkcs11Module, { token, pin }: Pkcs11Place, flags: number): Handle {
  const slots = module
    .C_GetSlotList(true)
    .filter((slot) => module.C_GetTokenInfo(slot).label.trim() === token);
  const [slot, ...more] = slots;
  if (slot === undefined || more.length > 0) throw new Error(`there is not one token ${token}`);
  const session = module.C_OpenSession(slot, pkcs11.CKF_SERIAL_SESSION | flags);
  try {
    module.C_Login(session, pkcs11.CKU_USER, pin);
  } catch (error) {
    // A login applies to all sessions of the process.
    if (codeOf(error) !== pkcs11.CKR_USER_ALREADY_LOGGED_IN) throw error;
  }
  return session;
}

function find(
  module: Pkcs11Module,
  session: Handle,
  { objectClass, label }: { readonly objectClass: number; readonly label: string },
): Handle[] {
  module.C_FindObjectsInit(session, [
    { type: pkcs11.CKA_CLASS, value: objectClass },
    { type: pkcs11.CKA_KEY_TYPE, value: pkcs11.CKK_EC },
    { type: pkcs11.CKA_LABEL, value: label },
  ]);
  try {
    return module.C_FindObjects(session, 2);
  } finally {
    module.C_FindObjectsFinal(session);
  }
}

function addressOf(module: Pkcs11Module, session: Handle, publicKey: Handle): string {
  const [parameters, point] = module.C_GetAttributeValue(session, publicKey, [
    { type: pkcs11.CKA_EC_PARAMS },
    { type: pkcs11.CKA_EC_POINT },
  ]);
  if (parameters === undefined || !parameters.value.equals(secp256k1Parameters)) {
    throw new Error('the key is not of the curve secp256k1');
  }
  return addressOfPoint(point?.value ?? Buffer.alloc(0));
}

function bytesOf(digest: Hex): Buffer {
  return Buffer.from(digest.slice(2), 'hex');
}

function codeOf(error: unknown): number | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'number'
    ? error.code
    : null;
}
