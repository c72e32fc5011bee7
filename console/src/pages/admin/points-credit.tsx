import { api } from '../../api/api.ts';
import * as texts from '../../text/en/admin.ts';
import { Form, get } from './operator-form.tsx';
import { write } from './write.ts';

export function PointsCredit() {
  return (
    <Form
      title={texts.creditPoints}
      names={[
        ['points-address', texts.address],
        ['points', texts.points],
        ['points-reference', texts.referenceCreditedOnce],
      ]}
      action={texts.credit}
      onSubmit={() =>
        write(texts.creditPointsAction(get('points'), get('points-address')), () =>
          api.call('POST /api/v1/admin/points/credits', {
            body: {
              user_address: get('points-address'),
              points: get('points'),
              reference: get('points-reference'),
              type: 'trading',
            },
          }),
        )
      }
    />
  );
}
