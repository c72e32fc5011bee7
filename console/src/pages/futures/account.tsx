import { useApi } from '../../api/query.ts';
import { formatDecimal } from '../../number/format.ts';
import { Loaded } from '../../parts/table.tsx';

export function Account() {
  const query = useApi('GET /api/v1/unified/account', {}, { every: 3_000 });
  return (
    <Loaded query={query}>
      {(account) => (
        <dl class="cards body">
          {(
            [
              ['Equity', account.equity],
              ['Available', account.available_balance],
              ['Withdrawable', account.withdrawable],
              ['Margin of positions', account.position_margin],
              ['Margin of orders', account.order_margin],
              ['Maintenance margin', account.maintenance_margin],
              ['Unrealized', account.unrealized_profit],
            ] as const
          ).map(([name, amount]) => (
            <div class="figure" key={name}>
              <dt>{name}, USDT</dt>
              <dd>{formatDecimal(amount, 2)}</dd>
            </div>
          ))}
          <div class="figure">
            <dt>uniMMR</dt>
            <dd>{formatDecimal(account.uniMMR, 2)}</dd>
          </div>
        </dl>
      )}
    </Loaded>
  );
}
