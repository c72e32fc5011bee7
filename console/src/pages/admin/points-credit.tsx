import { api } from '../../api/api.ts';
import { Form, get } from './operator-form.tsx';
import { write } from './write.ts';

export function PointsCredit() {
  return (
    <Form
      title="Credit points"
      names={[
        ['points-address', 'Address'],
        ['points', 'Points'],
        ['points-reference', 'Reference, once'],
      ]}
      action="Credit"
      onSubmit={() =>
        write(`${get('points')} points go to ${get('points-address')}.`, () =>
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
