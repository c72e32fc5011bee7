import { Command, Option } from 'commander';
import { HttpConnection } from '../client/http-connection.ts';
import { loadManifest } from '../config/deployment-manifest.ts';
import { readJsonFile } from '../config/read-json-file.ts';
import {
  amountByManifest,
  type GivenApproval,
  type ListedReview,
  signApproval,
  walletJson,
} from './approval.ts';
import { type GivenRefusal, refusalBody, signRefusal, textOf } from './refusal.ts';

// npm run approve: an approver inspects a withdrawal in review and signs for or against it, on the
// approver's own machine. The key is never sent to the service.

interface Options {
  readonly url: string;
  readonly adminKey?: string;
  readonly review?: string;
  readonly deployment?: string;
  readonly keyFile?: string;
  readonly days: string;
  readonly refuse?: string;
  readonly send?: readonly string[];
}

const secondsOfDay = 86_400;

const command = new Command('approve')
  .description(
    'Show a withdrawal in review, sign for it or refuse it, and send what two people signed. ' +
      "Who signs only needs no administrator's key: --review takes the list's item as a file.",
  )
  .argument('<id>', "the withdrawal's id")
  .option('--url <url>', 'the service', 'http://127.0.0.1:8080')
  .addOption(
    new Option(
      '--admin-key <key>',
      'better set in the environment, which process lists do not show',
    ).env('ADMIN_API_KEY'),
  )
  .option('--review <file>', "the list's item as JSON, instead of asking the service")
  .option('--deployment <file>', 'your own copy of the manifest, to compare token and vault with')
  .option('--key-file <file>', "the approver's key as 64 hex digits: sign and print the approval")
  .option('--days <days>', 'how long the approval is valid', '4')
  .option('--refuse <reason>', 'refuse it instead: its amount is given back')
  .option('--send <files...>', 'send these approvals or refusals to the service');

command.parse();

try {
  const [id = ''] = command.args;
  await run(id, command.opts<Options>());
} catch (error) {
  process.stderr.write(`approve: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function run(id: string, options: Options): Promise<void> {
  if (options.send !== undefined) {
    await send(id, options.send.map(readJsonFile), options);
    return;
  }
  const review = await findReview(id, options);
  if (options.refuse !== undefined) {
    await showRefusal(review, options.refuse, options);
    return;
  }
  const expires = Math.floor(Date.now() / 1_000) + Math.round(Number(options.days) * secondsOfDay);
  if (!Number.isSafeInteger(expires)) throw new Error('--days is not a number');
  show(review, expires, options);
  if (options.keyFile === undefined) {
    process.stdout.write(`${walletJson(review, expires)}\n`);
  } else {
    const approval = await signApproval(review, expires, options.keyFile);
    process.stdout.write(`${JSON.stringify(approval)}\n`);
  }
}

/** Refusals carry their reason; approvals have none. */
async function send(id: string, given: readonly unknown[], options: Options): Promise<void> {
  const path = `/api/v1/admin/withdrawals/${id}`;
  const isRefusal = given.every((each) => typeof each === 'object' && 'reason' in (each ?? {}));
  if (isRefusal) {
    await call(options, 'POST', `${path}/refuse`, refusalBody(given as readonly GivenRefusal[]));
    process.stdout.write('refused\n');
    return;
  }
  const approvals = given as readonly GivenApproval[];
  await call(options, 'POST', `${path}/approve`, { approvals });
  process.stdout.write('approved\n');
}

async function showRefusal(review: ListedReview, reason: string, options: Options): Promise<void> {
  show(review, null, options);
  if (options.keyFile === undefined) {
    process.stdout.write(`${textOf(review, reason)}\n`);
  } else {
    const refusal = await signRefusal(review, reason, options.keyFile);
    process.stdout.write(`${JSON.stringify(refusal)}\n`);
  }
}

async function findReview(id: string, options: Options): Promise<ListedReview> {
  const items =
    options.review === undefined
      ? (
          (await call(options, 'GET', '/api/v1/admin/withdrawals/reviews')) as {
            readonly items: readonly ListedReview[];
          }
        ).items
      : [readJsonFile(options.review) as ListedReview];
  const review = items.find((each) => each.id === id);
  // One that is approved and not signed yet can still be refused.
  const isOpen = review?.status === 'review' || options.refuse !== undefined;
  if (review === undefined || !isOpen) throw new Error(`withdrawal ${id} is not in review`);
  return review;
}

function show(review: ListedReview, expires: number | null, { deployment }: Options): void {
  let pays = `${review.amount} ${review.token} (as the service says)`;
  if (deployment !== undefined) {
    const loaded = loadManifest(deployment);
    if ('problems' in loaded) throw new Error(loaded.problems.join('; '));
    pays = amountByManifest(review, loaded.manifest);
  }
  const lines = [
    `withdrawal ${review.id} of the ${review.wallet} wallet`,
    `pays       ${pays}`,
    `to         ${review.account}`,
    `token      ${review.token_address}, ${review.raw_amount} of its smallest unit`,
    `vault      ${review.contract_address} on chain ${review.chain_id}`,
    `reviewed   because of ${review.reasons.join(', ')}`,
    expires === null ? 'to be refused' : `valid until ${new Date(expires * 1_000).toISOString()}`,
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

async function call(
  { url, adminKey }: Options,
  method: 'GET' | 'POST',
  target: string,
  body?: object,
): Promise<unknown> {
  if (adminKey === undefined || adminKey === '') throw new Error('ADMIN_API_KEY is not set');
  const connection = new HttpConnection(url, 1);
  try {
    const { status, text } = await connection.send({
      method,
      target,
      headers: { 'x-api-key': adminKey },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (status !== 200) throw new Error(`the service responded with status ${status}: ${text}`);
    return JSON.parse(text);
  } finally {
    connection.close();
  }
}
