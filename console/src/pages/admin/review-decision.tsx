import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, serverNow } from '../../api/api.ts';
import { refresh } from '../../api/query.ts';
import { say, sayError } from '../../feed/notices.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { ChainLink } from '../../parts/chain-link.tsx';
import type { WrittenColumn } from '../../parts/csv-file.ts';
import { ListEnd } from '../../parts/list-end.tsx';
import { TextField } from '../../parts/number-field.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { type Column, CsvButton, Table } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import {
  type Review,
  readVerdict,
  signApproval,
  signRefusal,
  type Verdict,
} from '../../wallet/approvals.ts';
import { type AnnouncedWallet, announced, askForWallets } from '../../wallet/discover.ts';
import { write } from './write.ts';

/** The owner has up to 72 hours from the approval; the second approver needs time before that. */
const approvalSeconds = 4 * 86_400;
const needed = 2;

/** Signed here or pasted from a colleague's console, kept for as long as this tab lives. */
const verdicts = signal<readonly Verdict[]>([]);
const reason = signal('');
const pasted = signal('');
const isSigning = signal(false);

function keep(verdict: Verdict): void {
  const isSame = (each: Verdict): boolean =>
    each.id === verdict.id &&
    each.approver === verdict.approver &&
    (each.reason === undefined) === (verdict.reason === undefined);
  verdicts.value = [...verdicts.value.filter((each) => !isSame(each)), verdict];
}

async function sign(make: () => Promise<Verdict>): Promise<void> {
  isSigning.value = true;
  try {
    keep(await make());
  } catch (error) {
    sayError(error);
  } finally {
    isSigning.value = false;
  }
}

function takePasted(id: string): void {
  const verdict = readVerdict(pasted.value, id);
  if (verdict === null) return say('bad', texts.notASignature);
  keep(verdict);
  if (verdict.reason !== undefined) reason.value = verdict.reason;
  pasted.value = '';
}

const columns: readonly Column<Verdict>[] = [
  {
    title: texts.decision,
    cell: (each) =>
      each.reason === undefined
        ? texts.approvalUntil(formatMoment((each.expires ?? 0) * 1000))
        : texts.refusalBecause(each.reason),
  },
  { title: texts.wallet, cell: (each) => <ChainLink to="address" value={each.approver} /> },
  {
    title: '',
    cell: (each) => (
      <button
        type="button"
        class="small"
        onClick={() => void navigator.clipboard.writeText(JSON.stringify(each))}
      >
        {texts.copyForAColleague}
      </button>
    ),
  },
];

const writtenColumns: readonly WrittenColumn<Verdict>[] = [
  { title: texts.decision, text: (each) => each.reason ?? texts.approve },
  { title: texts.wallet, text: (each) => each.approver },
  { title: texts.signature, text: (each) => each.signature },
];

interface DecisionProps {
  readonly review: Review;
  readonly onEnd: () => void;
}

function WalletButtons({ review, wallet }: { review: Review; wallet: AnnouncedWallet }) {
  const { provider, name } = wallet;
  const expires = (): number => Math.floor(serverNow() / 1000) + approvalSeconds;
  return (
    <div class="row">
      <button
        type="button"
        class="primary"
        disabled={isSigning.value || review.status !== 'review'}
        onClick={() => void sign(() => signApproval(provider, review, expires()))}
      >
        {texts.signApprovalWith(name)}
      </button>
      <button
        type="button"
        disabled={isSigning.value || reason.value.trim() === ''}
        onClick={() => void sign(() => signRefusal(provider, review, reason.value.trim()))}
      >
        {texts.signRefusalWith(name)}
      </button>
    </div>
  );
}

function Facts({ review }: { review: Review }) {
  return (
    <dl class="pairs">
      <dt>{texts.withdrawal}</dt>
      <dd>
        <code>{review.id}</code>
      </dd>
      <dt>{texts.paidTo}</dt>
      <dd>
        <ChainLink to="address" value={review.account} />
      </dd>
      <dt>{texts.amount}</dt>
      <dd>{texts.amountFromWallet(formatWhole(review.amount), review.token, review.wallet)}</dd>
      <dt>{texts.signedAs}</dt>
      <dd>
        <code>{review.raw_amount}</code> {texts.of}{' '}
        <ChainLink to="address" value={review.token_address} />
      </dd>
      <dt>{texts.vault}</dt>
      <dd>
        <ChainLink to="address" value={review.contract_address} /> {texts.onChain(review.chain_id)}
      </dd>
      {review.approved_by !== null && (
        <>
          <dt>{texts.approvedBy}</dt>
          <dd>{texts.approversUntil(review.approved_by, formatMoment(review.approved_until))}</dd>
        </>
      )}
    </dl>
  );
}

/** The actions that two signatures permit. */
function Decisions({ review, onEnd }: DecisionProps) {
  const { id, amount, token, account } = review;
  const own = verdicts.value.filter((each) => each.id === id);
  const approvals = own.filter((each) => each.expires !== undefined);
  const refusals = own.filter((each) => each.reason === reason.value.trim());
  const end = async (action: string, work: () => Promise<unknown>): Promise<void> => {
    await write(texts.decideAction(action, amount, token, account), async () => {
      await work();
      onEnd();
    });
    refresh('GET /api/v1/admin/withdrawals/reviews');
  };
  const approve = (): Promise<unknown> => {
    const given = approvals.map(({ expires = 0, signature }) => ({ expires, signature }));
    return api.call('POST /api/v1/admin/withdrawals/:id/approve', {
      params: { id },
      body: { approvals: given },
    });
  };
  const refuse = (): Promise<unknown> =>
    api.call('POST /api/v1/admin/withdrawals/:id/refuse', {
      params: { id },
      body: { reason: reason.value.trim(), approvals: refusals.map((each) => each.signature) },
    });
  return (
    <div class="row">
      <SendButton
        class="primary"
        disabled={approvals.length < needed || review.status !== 'review'}
        onClick={() => void end(texts.approve, approve)}
      >
        {texts.approveWith(approvals.length, needed)}
      </SendButton>
      <SendButton
        disabled={refusals.length < needed}
        onClick={() => void end(texts.refuse, refuse)}
      >
        {texts.refuseWith(refusals.length, needed)}
      </SendButton>
    </div>
  );
}

/** Signs here, and accepts what a colleague signed elsewhere. */
function Signing({ review }: { review: Review }) {
  return (
    <>
      <TextField
        label={texts.reasonForRefusing}
        value={reason.value}
        onInput={(text) => {
          reason.value = text;
        }}
      />
      {announced.value.map((wallet) => (
        <WalletButtons key={wallet.rdns} review={review} wallet={wallet} />
      ))}
      {announced.value.length === 0 && <p class="dim">{texts.noWalletFound}</p>}
      <div class="row">
        <TextField
          label={texts.signatureOfColleague}
          value={pasted.value}
          onInput={(text) => {
            pasted.value = text;
          }}
        />
        <button type="button" disabled={pasted.value === ''} onClick={() => takePasted(review.id)}>
          {texts.add}
        </button>
      </div>
    </>
  );
}

/** The facts of a withdrawal, the signatures of two people, and the resulting actions. */
export function ReviewDecision({ review, onEnd }: DecisionProps) {
  useEffect(askForWallets, []);
  const own = verdicts.value.filter(({ id }) => id === review.id);
  return (
    <section class="panel" aria-label={texts.decideOnWithdrawal}>
      <header>
        <h2>{texts.approveOrRefuse(formatWhole(review.amount), review.token)}</h2>
        <button type="button" class="small plain" onClick={onEnd}>
          {texts.close}
        </button>
      </header>
      <div class="body">
        <Facts review={review} />
        <p class="dim small-text">{texts.contactTheOwner}</p>
        <Signing review={review} />
        <Table
          caption={texts.signatures}
          columns={columns}
          rows={own}
          keyOf={(each) => each.signature}
          empty={texts.noSignaturesYet}
        />
        <ListEnd
          count={own.length}
          isWhole
          csv={<CsvButton name="signatures" columns={writtenColumns} rows={own} />}
        />
        <Decisions review={review} onEnd={onEnd} />
      </div>
    </section>
  );
}
