import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type ClusterNames, clusterNames } from '../cluster/cluster-names.ts';
import { serverOf } from '../cluster/connect-nats.ts';
import { latestOf, type MemberChange, missingOf, noMembers } from '../cluster/member-list.ts';
import type { OperatorAnswer, OperatorQuestion } from '../cluster/operator.ts';
import type { RollAnswer, RollQuestion } from '../cluster/roll-call.ts';
import { readEnvironment } from '../config/env.ts';
import { loadJournalId } from '../database/claim-journal-id.ts';
import { openDatabase } from '../database/open-database.ts';
import { createLogger } from '../observability/log.ts';

// What an operator asks of the processes of a running exchange. Its identity, which the names in
// NATS contain, is in the database.

const askMs = 1_000;
const changeMs = 10_000;

/** A connection to the NATS server of the exchange, with the names that it uses there. */
export interface OperatorConnection {
  readonly connection: NatsConnection;
  readonly names: ClusterNames;
  readonly journalId: string;
}

/** Connects by NATS_URL and DATABASE_URL. @throws Error naming what is missing */
export async function withExchange(run: (own: OperatorConnection) => Promise<void>): Promise<void> {
  const { NATS_URL: natsUrl, DATABASE_URL: databaseUrl } = readEnvironment();
  if (natsUrl === null || databaseUrl === null) {
    throw new Error('set NATS_URL and DATABASE_URL as for the processes of the exchange');
  }
  const logger = createLogger('error');
  const database = await openDatabase({ url: databaseUrl, dataDir: '.', logger });
  const journalId = await loadJournalId(database).finally(() => database.stop());
  if (journalId === null) throw new Error('no process has started with this database yet');
  const connection = await connect({ ...serverOf(natsUrl), name: 'openbourse operator' });
  try {
    await run({ connection, names: clusterNames(journalId), journalId });
  } finally {
    await connection.close();
  }
}

/** Prints every process that answers, and the members that do not. */
export function showMembers(): Promise<void> {
  return withExchange(async (own) => {
    const answers = await callRoll(own);
    const list = latestOf(noMembers, answers);
    for (const { member, label, epoch, sequence, isFit, mayOwn } of sorted(answers)) {
      const state = list.members.includes(member) ? 'member' : 'no member';
      const inability = mayOwn === false ? '  never owns' : '  unfit';
      const fitness = isFit ? '' : inability;
      console.log(
        `${member}  ${state.padEnd(9)}  epoch ${epoch}, command ${sequence}  ${label}${fitness}`,
      );
    }
    const answered = new Set(answers.map(({ member }) => member));
    for (const member of missingOf(list, answered))
      console.log(`${member}  member     does not answer`);
    console.log(`${list.copies} of ${list.members.length} hold what is acknowledged`);
    if (list.before !== null) console.log('the last change is not complete yet');
  });
}

/** Asks the owner to change the list. @throws Error if it refuses, with its reason */
export function changeMembers(change: MemberChange): Promise<void> {
  return withExchange(async ({ connection, names }) => {
    const question: OperatorQuestion = { type: 'change', change };
    const reply = await connection
      .request(names.operatorSubject, JSON.stringify(question), { timeout: changeMs })
      .catch(() => null);
    if (reply === null) throw new Error('no owner answers: nothing is changed');
    const answer = reply.json<OperatorAnswer>();
    if (!answer.isDone) throw new Error(answer.text);
    console.log(answer.text);
  });
}

/** Lets the members that are there begin without the others, once the loss is accepted. */
export function beginWithout(without: readonly string[], isAccepted: boolean): Promise<void> {
  return withExchange(async (own) => {
    const { connection, names } = own;
    const answers = await callRoll(own);
    for (const { member, epoch, sequence } of sorted(answers)) {
      console.log(`${member}  is there: epoch ${epoch}, command ${sequence}`);
    }
    console.log(`What only the journals of ${without.join(', ')} hold will be lost.`);
    if (!isAccepted) throw new Error('nothing is done: repeat this with --accept-loss');
    const question: OperatorQuestion = { type: 'begin', without };
    const options = { strategy: 'timer' as const, maxWait: askMs };
    const subject = names.operatorSubject;
    let isDone = false;
    for await (const reply of await connection.requestMany(
      subject,
      JSON.stringify(question),
      options,
    )) {
      if (reply instanceof Error || reply.headers?.code === 503) break;
      const answer = reply.json<OperatorAnswer>();
      console.log(answer.text);
      isDone ||= answer.isDone;
    }
    if (!isDone) throw new Error('no process will begin');
  });
}

async function callRoll({ connection, names }: OperatorConnection): Promise<readonly RollAnswer[]> {
  const question: RollQuestion = { process: 'operator', epoch: null };
  const answers: RollAnswer[] = [];
  const options = { strategy: 'timer' as const, maxWait: askMs };
  const replies = await connection.requestMany(
    names.rollSubject,
    JSON.stringify(question),
    options,
  );
  for await (const reply of replies) {
    if (reply instanceof Error || reply.headers?.code === 503) break;
    answers.push(reply.json<RollAnswer>());
  }
  if (answers.length === 0) throw new Error('no process of this exchange answers');
  return answers;
}

function sorted(answers: readonly RollAnswer[]): readonly RollAnswer[] {
  return [...answers].sort((one, other) => one.label.localeCompare(other.label));
}
