/** Why the gateway itself refuses a request, apart from the engine's rejections. */
export type GatewayFailure =
  | ParameterFailure
  | {
      readonly reason: 'rate_limited';
      readonly retryAfterSeconds: number;
      /** The address is temporarily banned: 418 instead of 429. */
      readonly isBanned?: boolean;
    }
  | {
      readonly reason: 'too_many_new_orders';
      readonly retryAfterSeconds: number;
      /** The limit that was reached, for example `300 orders per 10 seconds`. */
      readonly limit: string;
    }
  | { readonly reason: 'method_not_allowed'; readonly allowed: string }
  | { readonly reason: PlainFailureReason };

export interface ParameterFailure {
  readonly reason:
    | 'parameter_missing'
    | 'parameter_malformed'
    | 'parameter_unknown_member'
    | 'parameter_not_required'
    | 'parameter_combination'
    | 'interval_unknown';
  readonly parameter: string;
  /** Which field, and why, for the caller. */
  readonly detail: string;
}

type PlainFailureReason =
  | 'path_not_found'
  | 'payload_too_large'
  | 'unauthorized'
  | 'signature_invalid'
  | 'signature_missing'
  | 'timestamp_missing'
  | 'timestamp_invalid'
  | 'api_key_missing'
  | 'api_key_malformed'
  | 'api_key_unknown'
  | 'api_key_disabled'
  | 'ip_not_allowed'
  | 'permission_denied'
  | 'token_required'
  | 'admin_not_configured'
  | 'admin_unauthorized'
  | 'request_repeated'
  | 'engine_busy'
  | 'engine_restarting'
  | 'database_failed'
  | 'chain_failed'
  | 'signing_failed'
  | 'internal';

export type FailureReason = GatewayFailure['reason'];
