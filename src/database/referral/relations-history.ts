import type { Decimal } from '../../domain/decimal.ts';
import type { AccountId, Sequence } from '../../domain/identifiers.ts';
import type {
  AgentStatus,
  AgentTerms,
  Referral,
  ReferralRelations,
} from '../../programs/referral/share-fee.ts';
import { integerArray, plainArray } from '../array-parameters.ts';
import { decimalOf } from '../column-values.ts';
import type { StatementRunner } from '../projector/statement-queue.ts';

// The bindings and terms at the time of a batch's commands. A row applies to the commands after its
// from_position, up to and including its until_position, so an earning depends on its trade's
// position in the journal and never on when it is computed.

// The trader, its referrer, and the referrer's parent, whose own rate may also be a sub_rate.
const levelsMax = 3;

const selectBindings = `
  WITH RECURSIVE link AS (
    SELECT binding.*, 1 AS level FROM referral_bindings AS binding
    WHERE trader_id = ANY ($1::bigint[])
      AND from_position < $3 AND (until_position IS NULL OR until_position > $2)
    UNION
    SELECT binding.*, link.level + 1 FROM link
    JOIN referral_bindings AS binding ON binding.trader_id = link.referrer_id
    WHERE link.level < ${levelsMax}
      AND binding.from_position < $3
      AND (binding.until_position IS NULL OR binding.until_position > $2)
  )
  SELECT DISTINCT link.id, link.trader_id, link.referrer_id, link.from_position,
    link.until_position, rate.sub_rate, rate.from_position AS rate_from,
    rate.until_position AS rate_until
  FROM link LEFT JOIN referral_sub_rates AS rate ON rate.binding_id = link.id
    AND rate.from_position < $3 AND (rate.until_position IS NULL OR rate.until_position > $2)`;

const selectTerms = `
  SELECT account_id, rebate_rate, status, from_position, until_position
  FROM referral_agent_terms
  WHERE account_id = ANY ($1::bigint[])
    AND from_position < $3 AND (until_position IS NULL OR until_position > $2)`;

interface BindingRow {
  id: string;
  trader_id: string;
  referrer_id: string;
  from_position: string;
  until_position: string | null;
  sub_rate: string | null;
  rate_from: string | null;
  rate_until: string | null;
}

interface TermsRow {
  account_id: string;
  rebate_rate: string;
  status: string;
  from_position: string;
  until_position: string | null;
}

interface Span {
  readonly from: number;
  readonly until: number;
}

interface PastSubRate extends Span {
  readonly subRate: Decimal;
}

interface PastBinding extends Span {
  readonly referrer: AccountId;
  readonly subRates: PastSubRate[];
}

interface PastTerms extends Span, AgentTerms {}

/** The relations at any command of the batch that they were loaded for. */
export class RelationsHistory {
  readonly #bindings = new Map<AccountId, Map<string, PastBinding>>();
  readonly #terms = new Map<AccountId, PastTerms[]>();

  /** Null if none of the traders was bound to a referrer. */
  static async load(
    statements: StatementRunner,
    traders: readonly AccountId[],
    { first, last }: { readonly first: Sequence; readonly last: Sequence },
  ): Promise<RelationsHistory | null> {
    const { rows } = await statements.run<BindingRow>({
      name: 'select-referral-bindings',
      text: selectBindings,
      values: [integerArray(traders), first - 1, last],
    });
    if (rows.length === 0) return null;
    const history = new RelationsHistory();
    for (const row of rows) history.#addBinding(row);
    const agents = [...new Set(rows.map((row) => row.referrer_id))];
    const terms = await statements.run<TermsRow>({
      name: 'select-referral-terms',
      text: selectTerms,
      values: [plainArray(agents), first - 1, last],
    });
    for (const row of terms.rows) history.#addTerms(row);
    return history;
  }

  at(sequence: Sequence): ReferralRelations {
    return {
      findReferral: (account) => this.#findReferral(account, sequence),
      findAgent: (account) =>
        this.#terms.get(account)?.find((terms) => holds(terms, sequence)) ?? null,
    };
  }

  #findReferral(account: AccountId, sequence: Sequence): Referral | null {
    for (const binding of this.#bindings.get(account)?.values() ?? []) {
      if (!holds(binding, sequence)) continue;
      const passedDown = binding.subRates.find((rate) => holds(rate, sequence));
      return { referrer: binding.referrer, subRate: passedDown?.subRate ?? null };
    }
    return null;
  }

  #addBinding(row: BindingRow): void {
    const trader = Number(row.trader_id) as AccountId;
    const ofTrader = this.#bindings.get(trader) ?? new Map<string, PastBinding>();
    this.#bindings.set(trader, ofTrader);
    const binding = ofTrader.get(row.id) ?? {
      referrer: Number(row.referrer_id) as AccountId,
      subRates: [],
      ...spanOf(row.from_position, row.until_position),
    };
    ofTrader.set(row.id, binding);
    if (row.sub_rate === null || row.rate_from === null) return;
    binding.subRates.push({
      subRate: decimalOf(row.sub_rate),
      ...spanOf(row.rate_from, row.rate_until),
    });
  }

  #addTerms(row: TermsRow): void {
    const account = Number(row.account_id) as AccountId;
    const terms = this.#terms.get(account) ?? [];
    this.#terms.set(account, terms);
    terms.push({
      rebateRate: decimalOf(row.rebate_rate),
      status: row.status as AgentStatus,
      ...spanOf(row.from_position, row.until_position),
    });
  }
}

function spanOf(from: string, until: string | null): Span {
  return { from: Number(from), until: until === null ? Number.POSITIVE_INFINITY : Number(until) };
}

function holds({ from, until }: Span, sequence: Sequence): boolean {
  return from < sequence && sequence <= until;
}
