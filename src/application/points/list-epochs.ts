import { type EpochNumber, epochEnd, epochStart } from '../../programs/points/epochs.ts';
import { loadPointsMoment, type PointsReadPorts } from './points-moment.ts';

export interface EpochView {
  readonly epoch_number: number;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly status: 'upcoming' | 'active' | 'ended';
}

/** The active epoch and those before it, newest first. */
export async function listEpochs(
  ports: PointsReadPorts,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: readonly EpochView[]; readonly total: number }> {
  const { now, epoch, firstDay } = await loadPointsMoment(ports);
  const count = Math.max(0, Math.min(limit, epoch - offset));
  const items = Array.from({ length: count }, (_, index) => {
    const number = (epoch - offset - index) as EpochNumber;
    const [start, end] = [epochStart(number, firstDay), epochEnd(number, firstDay)];
    const status = now < start ? 'upcoming' : now < end ? 'active' : 'ended';
    return {
      epoch_number: number,
      starts_at: new Date(start).toISOString(),
      ends_at: new Date(end).toISOString(),
      status,
    } as const;
  });
  return { items, total: epoch };
}
