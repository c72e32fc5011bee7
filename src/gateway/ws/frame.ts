// A server's WebSocket frame has no mask, so the same bytes serve every receiver: a message is
// framed once and written to each socket as it is (RFC 6455, section 5.2).

const finalTextFrame = 0x81;
const shortLengthMax = 125;
const mediumLengthMax = 0xffff;

/** One whole text message as a frame. */
export function encodeTextFrame(text: string): Buffer {
  return encodeTextFrames([text]);
}

/** Whole text messages, each as a frame, concatenated. */
export function encodeTextFrames(texts: readonly string[]): Buffer {
  let total = 0;
  for (const text of texts) {
    const length = Buffer.byteLength(text);
    total += headerLengthOf(length) + length;
  }
  const frames = Buffer.allocUnsafe(total);
  let offset = 0;
  for (const text of texts) offset = writeTextFrame(frames, offset, text);
  return frames;
}

function headerLengthOf(length: number): 2 | 4 | 10 {
  if (length <= shortLengthMax) return 2;
  return length <= mediumLengthMax ? 4 : 10;
}

/** Writes a frame; returns its end offset. */
function writeTextFrame(frames: Buffer, offset: number, text: string): number {
  const length = Buffer.byteLength(text);
  const headerLength = headerLengthOf(length);
  frames[offset] = finalTextFrame;
  if (headerLength === 2) {
    frames[offset + 1] = length;
  } else if (headerLength === 4) {
    frames[offset + 1] = shortLengthMax + 1;
    frames.writeUInt16BE(length, offset + 2);
  } else {
    frames[offset + 1] = shortLengthMax + 2;
    frames.writeBigUInt64BE(BigInt(length), offset + 2);
  }
  return offset + headerLength + frames.write(text, offset + headerLength);
}

/** One message as a frame. */
export function encodeMessage(message: object): Buffer {
  return encodeTextFrame(JSON.stringify(message));
}
