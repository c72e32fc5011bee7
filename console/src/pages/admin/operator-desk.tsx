import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type AdminSession, adminSession, serverNow } from '../../api/api.ts';
import { Tabs } from '../../parts/tabs.tsx';
import * as texts from '../../text/en/admin.ts';
import { Audit } from './audit.tsx';
import { Claims } from './claims.tsx';
import { ContractPauses } from './contract-pauses.tsx';
import { Halts } from './halts.tsx';
import { Markets } from './markets.tsx';
import { Money } from './money.tsx';
import { PointsProgram } from './points-program.tsx';
import { Reviews } from './reviews.tsx';
import { Users } from './users.tsx';
import { WaitingEvents } from './waiting-events.tsx';

const idleMs = 15 * 60_000;
/** Of any session. */
const sessionMs = 60 * 60_000;

const shown = signal<'markets' | 'users' | 'points' | 'claims' | 'money' | 'reviews' | 'audit'>(
  'markets',
);

export function OperatorDesk({ session }: { session: AdminSession }) {
  useEffect(() => {
    let timer = setTimeout(forget, idleMs);
    const end = setTimeout(
      forget,
      Math.min(sessionMs, Date.parse(session.expires_at) - serverNow()),
    );
    function forget(): void {
      adminSession.value = null;
    }
    const stay = (): void => {
      clearTimeout(timer);
      timer = setTimeout(forget, idleMs);
    };
    addEventListener('pointerdown', stay);
    addEventListener('keydown', stay);
    return () => {
      clearTimeout(timer);
      clearTimeout(end);
      removeEventListener('pointerdown', stay);
      removeEventListener('keydown', stay);
      forget();
    };
  }, []);
  return (
    <>
      {session.role === 'read' && <p class="dim">{texts.thisSessionIsReadOnly}</p>}
      <Tabs
        label={texts.operatorSections}
        tabs={[
          { id: 'markets', label: texts.markets },
          { id: 'users', label: texts.users },
          { id: 'points', label: texts.points },
          { id: 'claims', label: texts.claims },
          { id: 'money', label: texts.money },
          { id: 'reviews', label: texts.reviews },
          { id: 'audit', label: texts.audit },
        ]}
        chosen={shown.value}
        onChoose={(id) => {
          shown.value = id;
        }}
      />
      {shown.value === 'markets' && <Markets />}
      {shown.value === 'users' && <Users />}
      {shown.value === 'points' && <PointsProgram />}
      {shown.value === 'claims' && <Claims />}
      {shown.value === 'money' && (
        <>
          <Money />
          <Halts />
          <ContractPauses />
          <WaitingEvents />
        </>
      )}
      {shown.value === 'reviews' && <Reviews />}
      {shown.value === 'audit' && <Audit />}
    </>
  );
}
