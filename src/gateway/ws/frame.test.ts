import { expect, test } from 'vitest';
import * as library from 'ws';
import { encodeMessage, encodeTextFrame } from './frame.ts';

// The library exports its reader, but its types do not name it.
const { Receiver } = library as unknown as { readonly Receiver: new () => MessageReader };

interface MessageReader {
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): void;
  write(bytes: Buffer): void;
}

/** What the library's own reader makes of the bytes. */
function read(bytes: Buffer): readonly string[] {
  const texts: string[] = [];
  const receiver = new Receiver();
  receiver.on('message', (data: Buffer, isBinary: boolean) => {
    texts.push(isBinary ? 'binary' : data.toString());
  });
  receiver.write(bytes);
  return texts;
}

test.each([0, 1, 125, 126, 65_535, 65_536, 100_000])(
  'encodeTextFrame: a text of %i bytes is read back as it was',
  (length) => {
    const text = 'x'.repeat(length);
    expect(read(encodeTextFrame(text))).toEqual([text]);
  },
);

test('encodeTextFrame: length counts bytes, not characters', () => {
  const text = '€'.repeat(60);
  expect(read(encodeTextFrame(text))).toEqual([text]);
});

test('encodeTextFrame: frames in one buffer are read one by one', () => {
  const both = Buffer.concat([encodeTextFrame('a'), encodeMessage({ type: 'pong' })]);
  expect(read(both)).toEqual(['a', '{"type":"pong"}']);
});
