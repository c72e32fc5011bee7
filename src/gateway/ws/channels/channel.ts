import type { Address } from '../../../domain/identifiers.ts';
import type { Connection } from '../connection.ts';
import type { SubscribeMessage, UnsubscribeMessage } from '../protocol/client-message.ts';
import type { StreamError } from '../protocol/stream-error.ts';
import type { Topic } from '../topic.ts';

export type ChannelRequest = SubscribeMessage | UnsubscribeMessage;

/** Sends the same messages to everyone. */
export interface PublicChannel {
  readonly kind: 'public';
  /** The topic of the request, or why there is no such stream. */
  findTopic(request: ChannelRequest): Topic | StreamError;
}

/** Messages about one account, for its own connections only. */
export interface PrivateChannel {
  readonly kind: 'private';
  /**
   * Sends a snapshot, then every update that follows it, until it is closed.
   * @throws EngineBusyError, EngineRestartingError: there is no snapshot, nothing is sent.
   */
  open(connection: Connection, address: Address): PrivateStream;
}

export interface PrivateStream {
  /** Resolves once the snapshot has been sent. */
  readonly opened: Promise<void>;
  end(): void;
}

export type Channel = PublicChannel | PrivateChannel;

export function isStreamError(value: Topic | StreamError): value is StreamError {
  return 'code' in value;
}
