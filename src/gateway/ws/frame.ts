// A server's WebSocket frame has no mask, so the same bytes serve every receiver: a message is
// framed once and written to each socket as it is (RFC 6455, section 5.2).

const finalTextFrame = 0x81;
const shortLengthMax = 125;
const mediumLengthMax = 0xffff;

/** One whole text message as a frame. */
export function encodeTextFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headerLength = length <= shortLengthMax ? 2 : length <= mediumLengthMax ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + length);
  frame[0] = finalTextFrame;
  if (headerLength === 2) {
    frame[1] = length;
  } else if (headerLength === 4) {
    frame[1] = shortLengthMax + 1;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = shortLengthMax + 2;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headerLength);
  return frame;
}

/** One message as a frame. */
export function encodeMessage(message: object): Buffer {
  return encodeTextFrame(JSON.stringify(message));
}
