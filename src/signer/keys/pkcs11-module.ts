import { importOptional } from './optional-package.ts';

// The part of pkcs11js that is used here. The package is native and compiled on installation, so it
// is installed with the signers that need it and not with the service.

export type Handle = Buffer;

interface Attribute {
  readonly type: number;
  readonly value?: number | boolean | string | Buffer;
}

interface Mechanism {
  readonly mechanism: number;
}

export interface Pkcs11Module {
  load(path: string): void;
  C_Initialize(): void;
  C_GetSlotList(tokenPresent: boolean): Handle[];
  C_GetTokenInfo(slot: Handle): { readonly label: string };
  C_OpenSession(slot: Handle, flags: number): Handle;
  C_Login(session: Handle, userType: number, pin: string): void;
  C_FindObjectsInit(session: Handle, template: readonly Attribute[]): void;
  C_FindObjects(session: Handle, maxObjectCount: number): Handle[];
  C_FindObjectsFinal(session: Handle): void;
  C_GetAttributeValue(
    session: Handle,
    object: Handle,
    template: readonly Attribute[],
  ): { readonly value: Buffer }[];
  C_SignInit(session: Handle, mechanism: Mechanism, key: Handle): void;
  C_Sign(session: Handle, data: Buffer, answer: Buffer): Buffer;
  C_GenerateKeyPair(
    session: Handle,
    mechanism: Mechanism,
    publicTemplate: readonly Attribute[],
    privateTemplate: readonly Attribute[],
  ): { readonly publicKey: Handle; readonly privateKey: Handle };
}

/** Constants of PKCS#11 2.40, under the standard's names. */
export const pkcs11 = {
  CKF_RW_SESSION: 2,
  CKF_SERIAL_SESSION: 4,
  CKU_USER: 1,
  CKO_PUBLIC_KEY: 2,
  CKO_PRIVATE_KEY: 3,
  CKK_EC: 3,
  CKA_CLASS: 0x0,
  CKA_TOKEN: 0x1,
  CKA_PRIVATE: 0x2,
  CKA_LABEL: 0x3,
  CKA_KEY_TYPE: 0x100,
  CKA_SENSITIVE: 0x103,
  CKA_SIGN: 0x108,
  CKA_VERIFY: 0x10a,
  CKA_EXTRACTABLE: 0x162,
  CKA_EC_PARAMS: 0x180,
  CKA_EC_POINT: 0x181,
  CKM_EC_KEY_PAIR_GEN: 0x1040,
  CKM_ECDSA: 0x1041,
  CKR_USER_ALREADY_LOGGED_IN: 0x100,
} as const;

/** Object identifier 1.3.132.0.10, DER-encoded. */
export const secp256k1Parameters = Buffer.from('06052b8104000a', 'hex');

const opened = new Map<string, Promise<Pkcs11Module>>();

/** Returns the module at the path, which a process initializes once. */
export async function openPkcs11Module(path: string): Promise<Pkcs11Module> {
  const known = opened.get(path);
  if (known !== undefined) return known;
  const opening = initialize(path);
  opened.set(path, opening);
  return opening;
}

async function initialize(path: string): Promise<Pkcs11Module> {
  const { PKCS11 } = (await importOptional('pkcs11js', '2.1.7')) as {
    readonly PKCS11: new () => Pkcs11Module;
  };
  const module = new PKCS11();
  module.load(path);
  module.C_Initialize();
  return module;
}
