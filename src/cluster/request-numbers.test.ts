import { describe, expect, it } from 'vitest';
import {
  type AppliedCommand,
  type Command,
  EngineBusyError,
  EngineRestartingError,
} from '../application/ports/exchange.ts';
import { parseAddress, type Sequence } from '../domain/identifiers.ts';
import { RequestForwarder } from './request-forwarder.ts';
import type { ReceivedRequest, Refusal, RequestLink } from './request-link.ts';
import { RequestServer } from './request-server.ts';

const command: Command = {
  type: 'creditBalance',
  address: parseAddress(`0x${'1'.repeat(40)}`)!,
  token: 'USDT',
  amount: 1n as never,
  actor: 'admin_api_key',
  reason: 'a test',
  reference: null,
};

/** Keeps what is sent; nothing arrives on its own. */
class RecordingLink implements RequestLink {
  readonly isConnected = true;
  readonly sent: { readonly epoch: number; readonly request: number }[] = [];
  record: Uint8Array = new Uint8Array();
  refuse: (request: number, refusal: Refusal) => void = () => undefined;
  take: (request: ReceivedRequest) => void = () => undefined;

  onRefusal(listener: (request: number, refusal: Refusal) => void): void {
    this.refuse = listener;
  }

  send(epoch: number, request: number, record: Uint8Array): void {
    this.sent.push({ epoch, request });
    this.record = record;
  }

  listen(_epoch: number, take: (request: ReceivedRequest) => void): () => void {
    this.take = take;
    return () => undefined;
  }
}

describe('numbers of forwarded requests', () => {
  let now = 0;
  let route = 1;

  function forward(): { readonly link: RecordingLink; readonly forwarder: RequestForwarder } {
    now = 0;
    route = 1;
    const link = new RecordingLink();
    const time = { monotonicMs: () => now, every: () => () => undefined };
    const options = { link, route: () => route, waitingMax: 10, recordBytesMax: 1_024, time };
    return { link, forwarder: new RequestForwarder(options) };
  }

  it('a refused number stays refused when another copy of it arrives', async () => {
    const { link, forwarder } = forward();
    void forwarder.submit(command).catch(() => undefined);
    let sequence = 0;
    let error: Error | null = new EngineBusyError('too many commands wait');
    const server = new RequestServer({
      link,
      submit: async () => {
        if (error !== null) throw error;
        sequence += 1;
        return {} as AppliedCommand;
      },
      appliedSequence: () => sequence as Sequence,
      own: { process: 'b', settle: () => undefined },
    });
    server.start(1);
    const refusals: string[] = [];
    const arrive = async (request: number): Promise<void> => {
      const refuse = (refusal: Refusal): void => void refusals.push(refusal);
      link.take({ process: 'a', request, record: link.record, refuse });
      await new Promise((resolve) => setImmediate(resolve));
    };
    await arrive(1);
    error = new EngineRestartingError('no lease');
    await arrive(2);
    error = null;
    await arrive(1);
    await arrive(2);
    expect(refusals).toEqual(['busy', 'restarting', 'busy', 'restarting']);
    expect(sequence).toBe(0);
    await arrive(3);
    await arrive(3);
    expect(refusals).toHaveLength(4);
    expect(sequence).toBe(1);
  });

  it('what was refused for a restart is sent again under another number', () => {
    const { link, forwarder } = forward();
    void forwarder.submit(command).catch(() => undefined);
    link.refuse(1, 'restarting');
    forwarder.sweep();
    expect(link.sent).toEqual([
      { epoch: 1, request: 1 },
      { epoch: 1, request: 2 },
    ]);
    expect(forwarder.waiting).toBe(1);
  });

  it('what reached no owner is sent again under its number, as a copy of it may arrive', () => {
    const { link, forwarder } = forward();
    void forwarder.submit(command).catch(() => undefined);
    link.refuse(1, 'absent');
    forwarder.sweep();
    expect(link.sent.map(({ request }) => request)).toEqual([1, 1]);
  });

  it('a late refusal by the previous owner says nothing about the next one', async () => {
    const { link, forwarder } = forward();
    forwarder.beginEpoch({ epoch: 1, owner: 'b', areOriginsUnknown: false });
    const submitted = forwarder.submit(command);
    route = 2;
    forwarder.beginEpoch({ epoch: 2, owner: 'c', areOriginsUnknown: false });
    const [before, after] = link.sent;
    expect(after?.epoch).toBe(2);
    link.refuse(before!.request, 'busy');
    expect(forwarder.waiting).toBe(1);
    forwarder.settle(after!.request, Promise.resolve({ sequence: 7 } as AppliedCommand));
    expect(await submitted).toEqual({ sequence: 7 });
  });
});
