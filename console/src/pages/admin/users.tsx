import { api } from '../../api/api.ts';
import { Form, get } from './operator-form.tsx';
import { PointsCredit } from './points-credit.tsx';
import { write } from './write.ts';

export function Users() {
  return (
    <>
      <Form
        title="Market maker"
        names={[
          ['maker-address', 'Address'],
          ['is-maker', 'yes or no'],
        ]}
        action="Set"
        onSubmit={() =>
          write(
            `${get('maker-address')} ${get('is-maker') === 'yes' ? 'becomes a' : 'is no'} market maker.`,
            () =>
              api.call('PUT /api/v1/admin/users/:address', {
                params: { address: get('maker-address') },
                body: { is_market_maker: get('is-maker') === 'yes' },
              }),
          )
        }
      />
      <Form
        title="VIP tier by hand"
        names={[
          ['vip-address', 'Address'],
          ['vip-tier', '0 to 5; empty: by volume'],
        ]}
        action="Set"
        onSubmit={() =>
          write(`The tier of ${get('vip-address')} is set.`, () =>
            api.call('PUT /api/v1/admin/users/:address', {
              params: { address: get('vip-address') },
              body: { vip_override: get('vip-tier') === '' ? null : Number(get('vip-tier')) },
            }),
          )
        }
      />
      <Form
        title="Referral agent"
        names={[
          ['agent', 'Address'],
          ['agent-tier', 'Tier, 0 to 4'],
        ]}
        action="Set"
        onSubmit={() =>
          write(`The tier of ${get('agent')} becomes ${get('agent-tier')}.`, () =>
            api.call('PUT /api/v1/admin/referral/agents/:wallet', {
              params: { wallet: get('agent') },
              body: { tier_level: Number(get('agent-tier')) },
            }),
          )
        }
      />
      <PointsCredit />
    </>
  );
}
