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
        ['points-reference', 'Reference (credited once)'],
      ]}
      action="Credit"
      onSubmit={() =>
        write(`Credit ${get('points')} points to ${get('points-address')}.`, () =>
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
