import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

// The receiving side of the fan-out benchmark, a separate process: many WebSocket connections that
// count the messages they are sent and do nothing else.
//
// Arguments: port, number of sockets, then the texts that each socket sends once it is open.

const [port = '', socketCount = '', ...requests] = process.argv.slice(2);
let messageCount = 0;
let openCount = 0;

process.on('message', () => process.send?.({ messageCount }));

function open(): void {
  const socket = connect(Number(port), '127.0.0.1');
  const counter = new FrameCounter();
  let isUpgraded = false;
  socket.on('connect', () => {
    socket.write(
      'GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\n' +
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    );
  });
  socket.on('data', (bytes) => {
    if (isUpgraded) {
      messageCount += counter.count(bytes);
      return;
    }
    isUpgraded = true;
    const headEnd = bytes.indexOf('\r\n\r\n') + 4;
    messageCount += counter.count(bytes.subarray(headEnd));
    for (const request of requests) socket.write(maskedFrame(request));
    openCount += 1;
    if (openCount === Number(socketCount)) process.send?.({ isOpen: true });
  });
  socket.on('error', (error) => fail(socket, error));
}

function fail(socket: Socket, error: Error): void {
  console.error(`socket ${socket.localPort ?? ''}: ${error.message}`);
  process.exit(1);
}

/** Counts whole frames, whatever pieces they come in. */
class FrameCounter {
  #rest: Buffer = Buffer.alloc(0);
  #payloadLeft = 0;

  count(bytes: Buffer): number {
    let frames = 0;
    let offset = 0;
    const data = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = Buffer.alloc(0);
    while (offset < data.length) {
      if (this.#payloadLeft > 0) {
        const taken = Math.min(this.#payloadLeft, data.length - offset);
        this.#payloadLeft -= taken;
        offset += taken;
        if (this.#payloadLeft === 0) frames += 1;
        continue;
      }
      const head = readHead(data, offset);
      if (head === null) {
        this.#rest = data.subarray(offset);
        return frames;
      }
      offset += head.length;
      this.#payloadLeft = head.payloadLength;
      if (head.payloadLength === 0) frames += 1;
    }
    return frames;
  }
}

function readHead(
  data: Buffer,
  offset: number,
): { readonly length: number; readonly payloadLength: number } | null {
  if (data.length < offset + 2) return null;
  const short = data.readUInt8(offset + 1);
  if (short < 126) return { length: 2, payloadLength: short };
  if (short === 126) {
    if (data.length < offset + 4) return null;
    return { length: 4, payloadLength: data.readUInt16BE(offset + 2) };
  }
  if (data.length < offset + 10) return null;
  return { length: 10, payloadLength: Number(data.readBigUInt64BE(offset + 2)) };
}

/** A client's frame must be masked; a mask of zeros leaves the text as it is. */
function maskedFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  if (payload.length > 125) throw new Error('the request is too long for a short frame');
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

for (let number = 0; number < Number(socketCount); number += 1) open();
