/** What each channel of the streams delivers. */
export type { Channels } from './channels.ts';
export { fromUnits, toUnits } from './decimal.ts';
/** The service's schemas by name, for example `Schemas.SpotOrder`. */
export type * as Schemas from './endpoints.ts';
export type { Endpoints } from './endpoints.ts';
export { ApiError, ConnectionError } from './errors.ts';
export {
  type Answer,
  type ApiKey,
  type ClientOptions,
  type EndpointName,
  HttpClient,
  type Input,
} from './http.ts';
export { type Level, OrderBook } from './order-book.ts';
export {
  readSignInMessage,
  type Session,
  type SignInMessage,
  type SignInOptions,
  signIn,
} from './sign-in.ts';
export { hmacSha256 } from './signature.ts';
export {
  type ChannelName,
  Stream,
  type StreamOptions,
  type StreamState,
  type Topic,
  type TopicListener,
  type TopicMessage,
} from './stream.ts';
