import { api } from '../../api/api.ts';
import { refresh } from '../../api/query.ts';
import * as texts from '../../text/en/admin.ts';
import { Accounts } from './accounts.tsx';
import { Agents } from './agents.tsx';
import { Form, get } from './operator-form.tsx';
import { write } from './write.ts';

function vipText(): string {
  const [address, tier] = [get('vip-address'), get('vip-tier')];
  return tier === '' ? texts.followVolumeAction(address) : texts.setVipTierAction(address, tier);
}

export function Users() {
  return (
    <>
      <Accounts />
      <Form
        title={texts.vipTierOverride}
        names={[
          ['vip-address', texts.address],
          ['vip-tier', texts.vipTierOrEmpty],
        ]}
        action={texts.set}
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
        title={texts.referralAgent}
        names={[
          ['agent', texts.address],
          ['agent-tier', texts.agentTier],
        ]}
        action={texts.set}
        onSubmit={async () => {
          await write(texts.setAgentTierAction(get('agent'), get('agent-tier')), () =>
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
