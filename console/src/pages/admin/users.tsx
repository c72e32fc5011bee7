import { api } from '../../api/api.ts';
import { refresh } from '../../api/query.ts';
import { Accounts } from './accounts.tsx';
import { Agents } from './agents.tsx';
import { Form, get } from './operator-form.tsx';
import { write } from './write.ts';

function vipText(): string {
  const [address, tier] = [get('vip-address'), get('vip-tier')];
  return tier === ''
    ? `Let the VIP tier of ${address} follow its volume.`
    : `Set the VIP tier of ${address} to ${tier}.`;
}

export function Users() {
  return (
    <>
      <Accounts />
      <Form
        title="VIP tier override"
        names={[
          ['vip-address', 'Address'],
          ['vip-tier', 'Tier, 0 to 5; empty: by volume'],
        ]}
        action="Set"
        onSubmit={async () => {
          await write(vipText(), () =>
            api.call('PUT /api/v1/admin/users/:address', {
              params: { address: get('vip-address') },
              body: { vip_override: get('vip-tier') === '' ? null : Number(get('vip-tier')) },
            }),
          );
          refresh('GET /api/v1/admin/users');
        }}
      />
      <Form
        title="Referral agent"
        names={[
          ['agent', 'Address'],
          ['agent-tier', 'Tier, 0 to 4'],
        ]}
        action="Set"
        onSubmit={async () => {
          await write(`Set the tier of ${get('agent')} to ${get('agent-tier')}.`, () =>
            api.call('PUT /api/v1/admin/referral/agents/:wallet', {
              params: { wallet: get('agent') },
              body: { tier_level: Number(get('agent-tier')) },
            }),
          );
          refresh('GET /api/v1/admin/referral/agents');
        }}
      />
      <Agents />
    </>
  );
}
