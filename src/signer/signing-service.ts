import {
  type Hex,
  hashTypedData,
  hexToNumber,
  isHex,
  keccak256,
  parseSignature,
  recoverTypedDataAddress,
  serializeTransaction,
  slice,
} from 'viem';
import type { RoleKey } from './keys/open-keys.ts';
import type { SigningKey } from './keys/signing-key.ts';
import { refuseRelease, refuseReward, refuseTransaction } from './policy.ts';
import type { SignerPolicy, SignerRole } from './policy-file.ts';
import type { SignedEntry, SignerLog } from './signer-log.ts';

// Answers one request at a time: parses it strictly, checks it against the policy, writes it to the
// log, and only then signs it.

/** The request is not signed; the message is meant for the caller. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

export interface SigningServiceOptions {
  readonly policy: SignerPolicy;
  readonly log: SignerLog;
  readonly keys: ReadonlyMap<string, RoleKey>;
  /** Unix seconds. */
  readonly now: () => number;
}

const uint = (name: string) => ({ name, type: 'uint256' });
const account = { name: 'account', type: 'address' };
const token = { name: 'token', type: 'address' };
const rewardTypes = { RedeemReward: [account, uint('value'), uint('nonce'), uint('deadline')] };
const releaseTypes = {
  VaultRelease: [account, token, uint('value'), uint('nonce'), uint('deadline')],
};
const approvalTypes = {
  ApproveRelease: [{ name: 'id', type: 'string' }, account, token, uint('value'), uint('expires')],
};

type Message = Readonly<Record<string, string>>;

export class SigningService {
  readonly #options: SigningServiceOptions;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: SigningServiceOptions) {
    this.#options = options;
  }

  /** The result of the service's `health` method. */
  get health() {
    const { log, keys } = this.#options;
    return { head: log.head, signatures: log.length, addresses: [...keys.keys()] };
  }

  /** @throws RefusedError */
  async answer(method: unknown, params: unknown): Promise<unknown> {
    const list = Array.isArray(params) ? (params as readonly unknown[]) : [];
    const turn = this.#turn.then(() => this.#answer(method, list));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #answer(method: unknown, params: readonly unknown[]): Promise<unknown> {
    if (method === 'eth_accounts') return [...this.#options.keys.keys()];
    if (method === 'health') return this.health;
    if (method === 'log_head') return this.#headAt(params[0]);
    if (method === 'eth_signTypedData') return this.#signTypedData(params);
    if (method === 'eth_signTransaction') return this.#signTransaction(recordOf(params[0]));
    throw new RefusedError('the method is not in the policy');
  }

  /** How far the log is; clients record it with what was signed. */
  get logHead() {
    const { log } = this.#options;
    return { head: log.head, signatures: log.length };
  }

  #headAt(signatures: unknown): string | null {
    if (typeof signatures !== 'number') {
      throw new RefusedError('the request is not of the expected form');
    }
    return this.#options.log.headAt(signatures);
  }

  async #signTypedData([from, data, approval]: readonly unknown[]): Promise<Hex> {
    const request = recordOf(data);
    const message = recordOf(request['message']);
    if (request['primaryType'] === 'RedeemReward') {
      const values = fieldsOf(message, rewardTypes.RedeemReward);
      return this.#signReward(textOf(from), request['domain'], values);
    }
    if (request['primaryType'] === 'VaultRelease') {
      const values = fieldsOf(message, releaseTypes.VaultRelease);
      return this.#signRelease(textOf(from), { domain: request['domain'], values, approval });
    }
    throw new RefusedError('the type is not in the policy');
  }

  async #signReward(from: string, given: unknown, message: Message): Promise<Hex> {
    const { policy, log, now } = this.#options;
    const signer = this.#keyOf(from, 'reward');
    const domain = this.#domainOf(given, policy.reward.domain);
    const request = { account: message['account'] ?? '', deadline: Number(message['deadline']) };
    refuse(refuseReward(policy, log.entries, request, now()));
    const data = { domain, types: rewardTypes, primaryType: 'RedeemReward', message } as const;
    const digest = hashTypedData(data);
    this.#record({ kind: 'reward', at: now(), account: request.account, digest });
    return signer.sign(digest);
  }

  async #signRelease(
    from: string,
    given: { readonly domain: unknown; readonly values: Message; readonly approval: unknown },
  ): Promise<Hex> {
    const { policy, log, now } = this.#options;
    const signer = this.#keyOf(from, 'vault');
    const domain = this.#domainOf(given.domain, policy.vault.domain);
    const message = given.values;
    const approvalId = await this.#checkApproval(domain, message, given.approval);
    const request = {
      account: message['account'] ?? '',
      token: message['token'] ?? '',
      value: BigInt(message['value'] ?? 0),
      nonce: BigInt(message['nonce'] ?? 0),
      deadline: Number(message['deadline']),
      approvalId,
    };
    refuse(refuseRelease(policy, log.entries, request, now()));
    const digest = hashTypedData({
      domain,
      types: releaseTypes,
      primaryType: 'VaultRelease',
      message,
    });
    const { value, nonce, ...plain } = request;
    const numbers = { value: String(value), nonce: String(nonce) };
    this.#record({ kind: 'release', at: now(), ...plain, ...numbers, digest });
    return signer.sign(digest);
  }

  /** Returns the withdrawal's id if two approvers, neither of whom is paid, signed exactly this. */
  async #checkApproval(
    domain: ReturnType<typeof domainFor>,
    message: Message,
    given: unknown,
  ): Promise<string | null> {
    if (given === undefined || given === null) return null;
    const { id, approvals } = recordOf(given);
    if (!Array.isArray(approvals)) throw new RefusedError('the approval has no signatures');
    const approvers = new Set<string>();
    for (const each of approvals as readonly unknown[]) {
      const { expires, signature } = recordOf(each);
      if (typeof expires !== 'number' || expires <= this.#options.now() || !isHex(signature)) {
        throw new RefusedError('an approval has expired or is invalid');
      }
      const approver = await recoverTypedDataAddress({
        domain,
        types: approvalTypes,
        primaryType: 'ApproveRelease',
        message: { ...message, id: textOf(id), expires: BigInt(expires) },
        signature,
      }).catch(() => {
        throw new RefusedError('an approval has expired or is invalid');
      });
      approvers.add(approver.toLowerCase());
    }
    approvers.delete(message['account'] ?? '');
    const { vault } = this.#options.policy;
    const known = [...approvers].filter((approver) => vault.approvers.includes(approver));
    if (known.length < 2) throw new RefusedError('two approvers must sign exactly this release');
    return textOf(id);
  }

  async #signTransaction(given: Readonly<Record<string, unknown>>): Promise<Hex> {
    const { policy, log, now } = this.#options;
    const sender = textOf(given['from']).toLowerCase();
    const isGuardian = this.#options.keys.get(sender)?.role === 'guardian';
    const role = isGuardian ? ('guardian' as const) : ('settler' as const);
    const signer = this.#keyOf(sender, role);
    const number = (name: string) => BigInt(hexOf(given[name] ?? '0x0'));
    if (number('chainId') !== BigInt(policy.chainId)) throw new RefusedError('another chain');
    const to = hexOf(given['to']).toLowerCase() as Hex;
    const data = hexOf(given['data'] ?? '0x');
    const request = {
      role,
      sender,
      to,
      data,
      selector: data.length >= 10 ? slice(data, 0, 4) : '0x',
      value: number('value'),
      nonce: hexToNumber(hexOf(given['nonce'])),
      gas: number('gas'),
      maxFeePerGas: number('maxFeePerGas'),
    };
    refuse(refuseTransaction(policy, log.entries, request));
    const transaction = {
      type: 'eip1559' as const,
      chainId: policy.chainId,
      to,
      data,
      nonce: request.nonce,
      gas: request.gas,
      value: 0n,
      maxFeePerGas: request.maxFeePerGas,
      maxPriorityFeePerGas: number('maxPriorityFeePerGas'),
    };
    const digest = keccak256(serializeTransaction(transaction));
    this.#record({ kind: 'transaction', at: now(), sender, nonce: request.nonce, digest });
    return serializeTransaction(transaction, parseSignature(await signer.sign(digest)));
  }

  #record(entry: SignedEntry): void {
    try {
      this.#options.log.append(entry);
    } catch (cause) {
      throw new RefusedError('nothing is signed: the log cannot be continued', { cause });
    }
  }

  #keyOf(address: string, role: SignerRole): SigningKey {
    const key = this.#options.keys.get(address.toLowerCase());
    if (key?.role !== role) throw new RefusedError(`the address is not the ${role} signer`);
    return key.key;
  }

  #domainOf(given: unknown, policy: { readonly name: string; readonly contract: string }) {
    const domain = domainFor(this.#options.policy.chainId, policy);
    const asked = recordOf(given);
    const isSame =
      asked['name'] === domain.name &&
      asked['version'] === domain.version &&
      Number(asked['chainId']) === domain.chainId &&
      textOf(asked['verifyingContract']).toLowerCase() === domain.verifyingContract &&
      asked['salt'] === undefined;
    if (!isSame) throw new RefusedError('the domain is not in the policy');
    return domain;
  }
}

function domainFor(chainId: number, policy: { readonly name: string; readonly contract: string }) {
  const verifyingContract = policy.contract as Hex;
  return { name: policy.name, version: '1', chainId, verifyingContract } as const;
}

function refuse(reason: string | null): void {
  if (reason !== null) throw new RefusedError(reason);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RefusedError('the request is not of the expected form');
  }
  return value as Readonly<Record<string, unknown>>;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new RefusedError('the request is not of the expected form');
  return value;
}

function hexOf(value: unknown): Hex {
  if (!isHex(value)) throw new RefusedError('the request is not of the expected form');
  return value;
}

/** Exactly the fields of the type: addresses in lowercase, numbers as decimal text. */
function fieldsOf(
  given: Readonly<Record<string, unknown>>,
  fields: readonly { readonly name: string; readonly type: string }[],
): Message {
  const isComplete = Object.keys(given).length === fields.length;
  const entries = fields.map(({ name, type }) => {
    const value = given[name];
    const pattern = type === 'address' ? /^0x[0-9a-fA-F]{40}$/ : /^[0-9]{1,39}$/;
    if (!isComplete || typeof value !== 'string' || !pattern.test(value)) {
      throw new RefusedError('the message is not of the expected form');
    }
    return [name, value.toLowerCase()] as const;
  });
  return Object.fromEntries(entries);
}
