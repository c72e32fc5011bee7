import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { adminKey } from '../../api/api.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { Claims } from './claims.tsx';
import { Markets } from './markets.tsx';
import { Money } from './money.tsx';
import { Users } from './users.tsx';

const idleMs = 15 * 60_000;

const shown = signal<'markets' | 'users' | 'claims' | 'money'>('markets');

export function OperatorDesk() {
  useEffect(() => {
    let timer = setTimeout(forget, idleMs);
    function forget(): void {
      adminKey.value = null;
    }
    const stay = (): void => {
      clearTimeout(timer);
      timer = setTimeout(forget, idleMs);
    };
    addEventListener('pointerdown', stay);
    addEventListener('keydown', stay);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerdown', stay);
      removeEventListener('keydown', stay);
      forget();
    };
  }, []);
  return (
    <>
      <Tabs
        label="What is administered"
        tabs={[
          { id: 'markets', label: 'Markets' },
          { id: 'users', label: 'Users' },
          { id: 'claims', label: 'Claims' },
          { id: 'money', label: 'Money' },
        ]}
        chosen={shown.value}
        onChoose={(id) => {
          shown.value = id;
        }}
      />
      {shown.value === 'markets' && <Markets />}
      {shown.value === 'users' && <Users />}
      {shown.value === 'claims' && <Claims />}
      {shown.value === 'money' && <Money />}
    </>
  );
}
