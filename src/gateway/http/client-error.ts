import type { Socket } from 'node:net';

// Bytes that are not a valid request: no path is known, so the answer is in the plain family.

const answers: Readonly<Record<string, readonly [status: string, code: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'REQUEST_TIMEOUT'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'HEADERS_TOO_LARGE'],
};
const malformedRequest = ['400 Bad Request', 'INVALID_PARAMETER'] as const;

/** Answers a connection on which no request could be parsed, and closes it. */
export function answerClientError(
  error: { readonly code: string },
  socket: Socket,
  requestId: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code] = answers[error.code] ?? malformedRequest;
  const body = JSON.stringify({ error: code });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
