import { type Kysely, sql } from 'kysely';

// Changes of an account's money and referral, as the channels `wallet` and `referral` publish
// them. Triggers write them in the transaction of the change, so that no effective change is
// missed, no matter what made it.

const statements = [
  `CREATE TABLE account_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    address text NOT NULL,
    channel text NOT NULL CHECK (channel IN ('wallet', 'referral')),
    data jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX account_events_by_address ON account_events (address, channel, id)',
  'CREATE INDEX account_events_by_time ON account_events (created_at)',

  `CREATE FUNCTION tell_account(whose text, which text, what jsonb) RETURNS void
    LANGUAGE plpgsql AS $$
    DECLARE told bigint;
    BEGIN
      INSERT INTO account_events (address, channel, data)
        VALUES (whose, which, what) RETURNING id INTO told;
      PERFORM pg_notify('account_events', told::text);
    END $$`,
  `CREATE FUNCTION plain_amount(amount numeric) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$ SELECT trim_scale(amount)::text $$`,

  `CREATE FUNCTION tell_deposit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM tell_account(NEW.account, 'wallet', jsonb_build_object(
        'event', 'deposit', 'id', NEW.number::text, 'tx_hash', NEW.tx_hash,
        'token', NEW.token, 'amount', plain_amount(NEW.amount),
        'status', CASE WHEN NEW.credited_at IS NULL THEN 'pending' ELSE 'credited' END));
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER spot_deposits_seen AFTER INSERT ON spot_deposits
    FOR EACH ROW EXECUTE FUNCTION tell_deposit()`,
  `CREATE TRIGGER spot_deposits_credited AFTER UPDATE OF credited_at ON spot_deposits
    FOR EACH ROW WHEN (OLD.credited_at IS DISTINCT FROM NEW.credited_at)
    EXECUTE FUNCTION tell_deposit()`,

  `CREATE FUNCTION tell_withdrawal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM tell_account(NEW.account, 'wallet', jsonb_build_object(
        'event', 'withdrawal', 'id', NEW.id::text, 'wallet', NEW.wallet, 'token', NEW.token,
        'amount', plain_amount(NEW.amount), 'status', NEW.status));
      RETURN NULL;
    END $$`,
  // What is being opened or was never signed is shown nowhere.
  `CREATE TRIGGER withdrawals_changed AFTER UPDATE OF status ON withdrawals
    FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status
      AND NEW.status IN ('pending', 'signed', 'completed', 'expired', 'canceled'))
    EXECUTE FUNCTION tell_withdrawal()`,
  `CREATE TRIGGER withdrawals_begun AFTER INSERT ON withdrawals
    FOR EACH ROW WHEN (NEW.status IN ('pending', 'signed'))
    EXECUTE FUNCTION tell_withdrawal()`,

  `CREATE FUNCTION tell_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM tell_account(NEW.user_address, 'wallet', jsonb_build_object(
        'event', 'transfer', 'id', NEW.transfer_number::text, 'direction', NEW.direction,
        'token', NEW.token, 'amount', plain_amount(NEW.amount)));
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER wallet_transfers_made AFTER INSERT ON wallet_transfers
    FOR EACH ROW EXECUTE FUNCTION tell_transfer()`,

  `CREATE FUNCTION tell_claim() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM tell_account(address, 'referral', jsonb_build_object(
        'event', 'claim', 'id', NEW.claim_no, 'amount', plain_amount(NEW.amount),
        'status', NEW.status)) FROM accounts WHERE account_id = NEW.account_id;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER commission_claims_made AFTER INSERT ON commission_claims
    FOR EACH ROW EXECUTE FUNCTION tell_claim()`,
  `CREATE TRIGGER commission_claims_changed AFTER UPDATE OF status ON commission_claims
    FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status)
    EXECUTE FUNCTION tell_claim()`,

  `CREATE FUNCTION tell_commission() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM tell_account(address, 'referral', jsonb_build_object(
        'event', 'commission', 'claimable', plain_amount(NEW.claimable),
        'claimed', plain_amount(NEW.claimed), 'failed', plain_amount(NEW.failed)))
        FROM accounts WHERE account_id = NEW.account_id;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER referral_settled_changed AFTER UPDATE ON referral_settled
    FOR EACH ROW WHEN ((OLD.claimable, OLD.claimed, OLD.failed)
      IS DISTINCT FROM (NEW.claimable, NEW.claimed, NEW.failed))
    EXECUTE FUNCTION tell_commission()`,
  `CREATE TRIGGER referral_settled_begun AFTER INSERT ON referral_settled
    FOR EACH ROW WHEN (NEW.claimable + NEW.claimed + NEW.failed > 0)
    EXECUTE FUNCTION tell_commission()`,

  `CREATE FUNCTION tell_referral_log() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM tell_account(address, 'referral', jsonb_build_object(
        'event', 'relation', 'id', NEW.id::text, 'kind', NEW.type,
        'counterparty', NEW.counterparty, 'code', NEW.code))
        FROM accounts WHERE account_id = NEW.account_id;
      RETURN NULL;
    END $$`,
  // A claim has events of its own.
  `CREATE TRIGGER referral_logs_written AFTER INSERT ON referral_logs
    FOR EACH ROW WHEN (NEW.type <> 'claim')
    EXECUTE FUNCTION tell_referral_log()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
