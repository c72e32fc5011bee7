/** One alert of Prometheus; its text comes from the row of its metric in docs/alarms.md. */
export interface AlertRule {
  readonly alert: string;
  readonly metric: string;
  readonly expr: string;
  /** How long it must hold. */
  readonly for: string;
  /** page: somebody gets up; ticket: somebody looks during the day. */
  readonly severity: 'page' | 'ticket';
}

const orders = 'http_request_duration_seconds_bucket{method="POST",route=~".*orders?"}';

export const alertRules: readonly AlertRule[] = [
  {
    alert: 'OrdersSlow',
    metric: 'http_request_duration_seconds',
    expr: `histogram_quantile(0.99, sum by (le) (rate(${orders}[5m]))) > 0.5`,
    for: '5m',
    severity: 'page',
  },
  {
    alert: 'ServerErrors',
    metric: 'http_request_duration_seconds',
    expr: 'sum(rate(http_request_duration_seconds_count{status="500"}[5m])) > 0',
    for: '1m',
    severity: 'page',
  },
  {
    alert: 'EngineBusy',
    metric: 'engine_waiting',
    expr: 'engine_waiting > 8000',
    for: '1m',
    severity: 'page',
  },
  {
    alert: 'DiskSlow',
    metric: 'journal_write_seconds_max',
    expr: 'journal_write_seconds_max > 1',
    for: '0m',
    severity: 'ticket',
  },
  {
    alert: 'JournalSpaceMissing',
    metric: 'journal_space_missing',
    expr: 'journal_space_missing > 0',
    for: '0m',
    severity: 'page',
  },
  {
    alert: 'ClockOff',
    metric: 'exchange_clock_offset_seconds',
    expr: 'abs(exchange_clock_offset_seconds) > 2',
    for: '2m',
    severity: 'page',
  },
  {
    alert: 'ClockJumped',
    metric: 'exchange_clock_jumps',
    expr: 'increase(exchange_clock_jumps[10m]) > 0',
    for: '0m',
    severity: 'ticket',
  },
  {
    alert: 'ProjectionBehind',
    metric: 'projector_lag_commands',
    expr: 'projector_lag_commands > 20000 and deriv(projector_lag_commands[5m]) > 0',
    for: '5m',
    severity: 'page',
  },
  {
    alert: 'ProjectionFails',
    metric: 'projector_failures_total',
    expr: 'increase(projector_failures_total[5m]) > 0',
    for: '5m',
    severity: 'page',
  },
  {
    alert: 'ChainUnavailable',
    metric: 'chain_state',
    expr: 'chain_state < 2',
    for: '10m',
    severity: 'page',
  },
  {
    alert: 'SigningOff',
    metric: 'chain_signing',
    expr: 'chain_signing == 0',
    for: '5m',
    severity: 'page',
  },
  {
    alert: 'EventsWaitForAPerson',
    metric: 'chain_parked_events',
    expr: 'chain_parked_events > 0',
    for: '0m',
    severity: 'ticket',
  },
  {
    alert: 'SigningHalted',
    metric: 'chain_halts',
    expr: 'chain_halts > 0',
    for: '0m',
    severity: 'page',
  },
  {
    alert: 'WithdrawalsInReview',
    metric: 'withdrawals_review_oldest_seconds',
    expr: 'withdrawals_review_oldest_seconds > 3600',
    for: '0m',
    severity: 'page',
  },
  {
    alert: 'JobFails',
    metric: 'job_failures_total',
    expr: 'increase(job_failures_total[15m]) > 2',
    for: '0m',
    severity: 'ticket',
  },
  {
    alert: 'VaultShort',
    metric: 'vault_short',
    expr: 'vault_short > 0',
    for: '0m',
    severity: 'page',
  },
  {
    alert: 'RewardPoolShort',
    metric: 'reward_pool_short',
    expr: 'reward_pool_short > 0',
    for: '0m',
    severity: 'page',
  },
  {
    alert: 'BadDebt',
    metric: 'futures_bad_debt',
    expr: 'futures_bad_debt > 0',
    for: '0m',
    severity: 'page',
  },
  {
    alert: 'FundDrawdown',
    metric: 'futures_insurance_fund',
    expr: 'futures_insurance_fund < 0.7 * max_over_time(futures_insurance_fund[8h])',
    for: '0m',
    severity: 'page',
  },
  {
    alert: 'WithdrawalsGated',
    metric: 'futures_withdrawals_gated',
    expr: 'futures_withdrawals_gated > 0',
    for: '5m',
    severity: 'page',
  },
  {
    alert: 'RulesBroken',
    metric: 'engine_broken_rules',
    expr: 'engine_broken_rules > 0',
    for: '0m',
    severity: 'page',
  },
  {
    alert: 'IndexStale',
    metric: 'futures_stale_markets',
    expr: 'futures_stale_markets > 0',
    for: '1m',
    severity: 'page',
  },
  {
    alert: 'PriceHeld',
    metric: 'futures_held_markets',
    expr: 'futures_held_markets > 0',
    for: '2m',
    severity: 'page',
  },
  {
    alert: 'MarketSettles',
    metric: 'futures_settling_markets',
    expr: 'futures_settling_markets > 0',
    for: '30s',
    severity: 'page',
  },
  {
    alert: 'LiquidationsWait',
    metric: 'futures_oldest_liquidation_seconds',
    expr: 'futures_oldest_liquidation_seconds > 60',
    for: '0m',
    severity: 'page',
  },
  {
    alert: 'ManyConnections',
    metric: 'ws_connections',
    expr: 'ws_connections > 16000',
    for: '5m',
    severity: 'ticket',
  },
  {
    alert: 'ClientsDoNotRead',
    metric: 'ws_backlog_bytes',
    expr: 'deriv(ws_backlog_bytes[5m]) > 0 and ws_backlog_bytes > 67108864',
    for: '5m',
    severity: 'ticket',
  },
];
