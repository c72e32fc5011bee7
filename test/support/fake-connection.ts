import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { Connection } from '../../src/gateway/ws/connection.ts';
import type { StreamLimits } from '../../src/gateway/ws/stream-limits.ts';
import type { StreamMessage } from './stream-server.ts';

/** A client without a network: the test says when it reads. */
export class FakeClient {
  readonly connection: Connection;
  /** How often the socket was written to. */
  writes = 0;
  closed: { readonly code: number; readonly reason: string } | null = null;
  isReading = true;
  readonly #socket = new EventEmitter() as EventEmitter & {
    writableLength: number;
    write(bytes: Buffer): void;
  };
  #unread: Buffer[] = [];

  constructor(limits: StreamLimits) {
    this.#socket.writableLength = 0;
    this.#socket.write = (bytes) => {
      this.writes += 1;
      this.#unread.push(bytes);
      if (!this.isReading) this.#socket.writableLength += bytes.length;
    };
    const webSocket = {
      OPEN: 1,
      readyState: 1,
      close: (code: number, reason: string) => {
        webSocket.readyState = 2;
        this.closed = { code, reason };
      },
    };
    this.connection = new Connection(
      webSocket as unknown as WebSocket,
      this.#socket as unknown as Duplex,
      limits,
    );
  }

  /** Everything that was written since the last call, whether it is reading or not. */
  take(): readonly StreamMessage[] {
    const frames = this.#unread;
    this.#unread = [];
    return frames.flatMap(decodeFrames);
  }

  stopReading(): void {
    this.isReading = false;
  }

  /** Reads until only that many bytes are left. */
  readPartly(bytesLeft: number): void {
    this.#socket.writableLength = bytesLeft;
  }

  /** Reads all that has piled up, and keeps reading. */
  readOn(): void {
    this.isReading = true;
    if (this.#socket.writableLength === 0) return;
    this.#socket.writableLength = 0;
    this.#socket.emit('drain');
  }
}

/** The messages of unmasked, unfragmented text frames. */
function decodeFrames(bytes: Buffer): readonly StreamMessage[] {
  const messages: StreamMessage[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    if (bytes[offset] !== 0x81) throw new Error(`byte ${offset} begins no whole text frame`);
    const { length, start } = payloadOf(bytes, offset + 1);
    messages.push(JSON.parse(bytes.toString('utf8', start, start + length)) as StreamMessage);
    offset = start + length;
  }
  return messages;
}

function payloadOf(bytes: Buffer, offset: number): { length: number; start: number } {
  const short = bytes.readUInt8(offset);
  if (short === 126) return { length: bytes.readUInt16BE(offset + 1), start: offset + 3 };
  if (short === 127)
    return { length: Number(bytes.readBigUInt64BE(offset + 1)), start: offset + 9 };
  return { length: short, start: offset + 1 };
}
