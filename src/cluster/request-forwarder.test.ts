import { beforeEach, describe, expect, it } from 'vitest';
import { credit } from '../../test/support/memory-cluster.ts';
import {
  type AppliedCommand,
  EngineBusyError,
  EngineRestartingError,
  RequestExpiredError,
  RequestRepeatedError,
} from '../application/ports/exchange.ts';
import { OutcomeUnknownError } from '../sequencer/command-pipeline.ts';
import { RequestForwarder } from './request-forwarder.ts';
import type { Refusal } from './request-link.ts';

const applied = {} as AppliedCommand;

describe('a command that is forwarded', () => {
  let now: number;
  let route: number | null;
  let isConnected: boolean;
  let sent: { readonly epoch: number; readonly request: number; readonly record: Uint8Array }[];
  let refuse: (request: number, refusal: Refusal) => void;
  let sweeps: { readonly everyMs: number; readonly sweep: () => void }[];
  let forwarder: RequestForwarder;

  beforeEach(() => {
    now = 50_000;
    route = 1;
    isConnected = true;
    sent = [];
    sweeps = [];
    forwarder = new RequestForwarder({
      link: {
        get isConnected() {
          return isConnected;
        },
        send: (epoch, request, record) => void sent.push({ epoch, request, record }),
        onRefusal: (listener) => {
          refuse = listener;
        },
        listen: () => () => undefined,
      },
      route: () => route,
      waitingMax: 3,
      recordBytesMax: 1_024,
      time: {
        monotonicMs: () => now,
        every: (everyMs, sweep) => {
          const entry = { everyMs, sweep };
          sweeps.push(entry);
          return () => {
            sweeps = sweeps.filter((each) => each !== entry);
          };
        },
      },
    });
  });

  /** Its outcome, as soon as there is one. */
  function submit(): { error: unknown; outcome: AppliedCommand | null; done: Promise<unknown> } {
    const result = { error: null as unknown, outcome: null as AppliedCommand | null };
    const done = forwarder.submit(credit()).then(
      (outcome) => Object.assign(result, { outcome }),
      (error: unknown) => Object.assign(result, { error }),
    );
    return Object.assign(result, { done });
  }

  function pass(durationMs: number): void {
    now += durationMs;
    for (const { sweep } of sweeps) sweep();
  }

  function requests(): readonly (readonly [number, number])[] {
    return sent.splice(0).map(({ epoch, request }) => [epoch, request]);
  }

  it('is sent at once, and is settled by the log', async () => {
    const one = submit();
    const other = submit();
    expect(forwarder.waiting).toBe(2);
    expect(requests()).toEqual([
      [1, 1],
      [1, 2],
    ]);
    forwarder.settle(2, Promise.resolve(applied));
    await other.done;
    expect([one.outcome, other.outcome]).toEqual([null, applied]);
    expect(forwarder.waiting).toBe(1);
    forwarder.settle(2, Promise.reject(new Error('nobody waits for this')));
    expect(forwarder.waiting).toBe(1);
  });

  it('is refused at once while too many wait', async () => {
    for (let count = 0; count < 3; count += 1) submit();
    const refused = submit();
    await refused.done;
    expect(refused.error).toBeInstanceOf(EngineBusyError);
    expect((refused.error as Error).message).toBe('too many commands wait for the owner');
    expect(forwarder.waiting).toBe(3);
  });

  it('is refused if it is longer than a record may be', async () => {
    const long = forwarder.submit(credit('x'.repeat(2_000)));
    await expect(long).rejects.toThrow(/a command of \d+ bytes exceeds the limit of a record/);
    expect([forwarder.waiting, sent]).toEqual([0, []]);
  });

  it.each([
    ['an owner', null, true],
    ['a connection', 1, false],
  ])('waits 800 ms for %s', async (_what, routed, connected) => {
    route = routed;
    isConnected = connected;
    const late = submit();
    pass(100);
    expect(requests()).toEqual([]);
    const early = submit();
    pass(700);
    expect(late.error).toBeNull();
    pass(1);
    await late.done;
    expect(late.error).toBeInstanceOf(EngineRestartingError);
    expect((late.error as Error).message).toBe('no process owns the exchange');
    route = 1;
    isConnected = true;
    pass(50);
    expect(requests()).toEqual([[1, 2]]);
    forwarder.settle(2, Promise.resolve(applied));
    await early.done;
    expect(early.outcome).toBe(applied);
  });

  it('is looked after every 100 ms until the process stops', () => {
    expect(sweeps.map(({ everyMs }) => everyMs)).toEqual([100]);
    forwarder.stop();
    expect(sweeps).toEqual([]);
  });

  it('is sent again each second to the same owner, and to no other', () => {
    submit();
    requests();
    pass(1_000);
    expect(requests()).toEqual([]);
    pass(1);
    expect(requests()).toEqual([[1, 1]]);
    isConnected = false;
    pass(1_001);
    isConnected = true;
    route = 2;
    pass(1_001);
    expect(requests()).toEqual([]);
    route = 1;
    pass(1);
    expect(requests()).toEqual([[1, 1]]);
  });

  it('has an unknown outcome twelve seconds after it was sent', async () => {
    const command = submit();
    pass(12_000);
    expect(command.error).toBeNull();
    pass(1);
    await command.done;
    expect(command.error).toBeInstanceOf(OutcomeUnknownError);
    expect((command.error as Error).message).toBe('the owner has not answered');
  });

  it('has an unknown outcome if the process stops after it was sent', async () => {
    const was = submit();
    route = null;
    const not = submit();
    forwarder.stop();
    await Promise.all([was.done, not.done]);
    expect(was.error).toBeInstanceOf(OutcomeUnknownError);
    expect((was.error as Error).message).toBe('the process stops');
    expect(not.error).toBeInstanceOf(EngineRestartingError);
    expect(forwarder.waiting).toBe(0);
  });

  it.each([
    ['busy', EngineBusyError, 'too many commands wait'],
    ['invalid', RangeError, 'the owner cannot read the command'],
    ['repeated', RequestRepeatedError, 'the request was accepted before'],
    ['expired', RequestExpiredError, 'the request is too old'],
  ] as const)('fails if the owner answers that it is %s', async (refusal, type, message) => {
    const command = submit();
    refuse(1, refusal);
    await command.done;
    expect(command.error).toBeInstanceOf(type);
    expect((command.error as Error).message).toBe(message);
    expect(forwarder.waiting).toBe(0);
    expect(() => refuse(1, refusal)).not.toThrow();
  });

  it('goes under another number if the owner is restarting', () => {
    submit();
    const [{ record }] = sent as [(typeof sent)[0]];
    requests();
    refuse(1, 'restarting');
    expect(forwarder.waiting).toBe(1);
    route = 2;
    pass(1);
    expect(sent).toEqual([{ epoch: 2, request: 2, record }]);
    forwarder.settle(1, Promise.resolve(applied));
    expect(forwarder.waiting).toBe(1);
  });

  it('goes under the same number if no process has received it', () => {
    submit();
    requests();
    refuse(1, 'absent');
    route = 2;
    pass(1);
    expect(requests()).toEqual([[2, 1]]);
    // One more answer of that kind is for the newer message.
    refuse(1, 'absent');
    route = 3;
    pass(1);
    expect(requests()).toEqual([[3, 1]]);
  });

  it('stays with its owner if only a repeated message was not received', async () => {
    const command = submit();
    pass(1_001);
    requests();
    refuse(1, 'absent');
    route = 2;
    pass(801);
    expect(requests()).toEqual([]);
    expect(command.error).toBeNull();
    route = 1;
    pass(300);
    expect(requests()).toEqual([[1, 1]]);
  });

  describe('when an epoch begins', () => {
    const opened = (epoch: number, owner: string | null, areOriginsUnknown = false): void => {
      route = epoch;
      forwarder.beginEpoch({ epoch, owner, areOriginsUnknown });
    };

    it('goes to another owner under another number, as the one before has not accepted it', () => {
      opened(1, 'a');
      submit();
      requests();
      opened(2, 'b');
      expect(requests()).toEqual([[2, 2]]);
    });

    it('goes to the same owner under its number, as it may still append it', () => {
      opened(1, 'a');
      submit();
      requests();
      opened(2, 'a');
      expect(requests()).toEqual([[2, 1]]);
      opened(3, 'b');
      expect(requests()).toEqual([[3, 2]]);
    });

    it.each([
      [null, 'b'],
      ['a', null],
    ])('keeps its number if one of the owners is unknown (%o, %o)', (before, after) => {
      opened(1, before);
      submit();
      requests();
      opened(2, after);
      expect(requests()).toEqual([[2, 1]]);
    });

    it('stays where it is if it was sent in that epoch', () => {
      opened(1, 'a');
      route = 2;
      submit();
      requests();
      opened(2, 'b', true);
      expect(requests()).toEqual([]);
      expect(forwarder.waiting).toBe(1);
    });

    it('has an unknown outcome where the log was restored without its requests', async () => {
      const was = submit();
      route = null;
      const not = submit();
      requests();
      opened(2, 'b', true);
      await was.done;
      expect(was.error).toBeInstanceOf(OutcomeUnknownError);
      expect((was.error as Error).message).toBe('the shared log was restored');
      expect(not.error).toBeNull();
      expect(requests()).toEqual([[2, 2]]);
    });

    it('has an unknown outcome once the log no longer names its request', async () => {
      const old = submit();
      now += 1;
      const newer = submit();
      now += 12_000;
      opened(2, 'b');
      await old.done;
      expect(old.error).toBeInstanceOf(OutcomeUnknownError);
      expect(newer.error).toBeNull();
    });

    it('waits for an owner up to three seconds after it was sent', async () => {
      opened(1, 'a');
      const command = submit();
      requests();
      forwarder.beginEpoch({ epoch: 2, owner: 'b', areOriginsUnknown: false });
      refuse(2, 'restarting');
      route = null;
      pass(3_000);
      expect(command.error).toBeNull();
      pass(1);
      await command.done;
      expect(command.error).toBeInstanceOf(EngineRestartingError);
    });
  });
});
