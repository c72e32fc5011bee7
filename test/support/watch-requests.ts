import type { NatsConnection } from '@nats-io/transport-node';

export interface WatchedRequest {
  readonly subject: string;
  readonly timeoutMs: number | undefined;
}

/** What is requested on the connection from now on, and for how long each answer is awaited. */
export function watchRequests(connection: NatsConnection): readonly WatchedRequest[] {
  const requests: WatchedRequest[] = [];
  const request = connection.request.bind(connection);
  connection.request = (subject, payload, options) => {
    requests.push({ subject, timeoutMs: options?.timeout });
    return request(subject, payload, options);
  };
  return requests;
}
