import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runDemoClaim } from '../../src/demo/claim/run-demo-claim.ts';
import { formatMicroUsdt } from '../../src/domain/micro-usdt.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { startTestService } from '../support/test-service.ts';

// The whole way of a commission through the running service and its development chain. The story
// compares every amount on both sides on its own; here the database is asked once more.

anvilSuite('the claim story', () => {
  test('claim story: what trades earn is settled, claimed, redeemed and counted to the unit', async () => {
    const service = await startTestService({
      SETTLE_INTERVAL_MS: '300',
      CLAIM_POLL_INTERVAL_MS: '200',
    });
    const lines: string[] = [];
    const story = await runDemoClaim({
      url: service.url,
      print: (line) => lines.push(line),
      timeoutMs: 20_000,
      pollMs: 50,
    });
    expect(lines.at(-1)).toContain('nothing is left');
    const commission = formatMicroUsdt(story.commission);
    const { rows } = await service.query((db) =>
      sql<Record<string, string>>`
        SELECT sum(commission) AS earned, count(*) FILTER (WHERE status = 'claimed') AS claimed,
          count(*) AS count, count(DISTINCT chain_sync_tx) AS settlements
        FROM referral_earnings`.execute(db),
    );
    expect(rows).toEqual([{ earned: commission, claimed: '2', count: '2', settlements: '1' }]);
    const claims = await service.query((db) =>
      sql<Record<string, string>>`
        SELECT claim_no, status, covered, tx_hash, origin FROM commission_claims`.execute(db),
    );
    expect(claims.rows).toEqual([
      {
        claim_no: story.claimNo,
        status: 'success',
        covered: commission,
        tx_hash: story.transactionHash,
        origin: 'order',
      },
    ]);
    const redemptions = await service.query((db) =>
      sql<Record<string, string>>`
        SELECT nonce, amount FROM reward_redemptions`.execute(db),
    );
    expect(redemptions.rows).toEqual([{ nonce: '0', amount: commission }]);
    await service.close();
  });
});
