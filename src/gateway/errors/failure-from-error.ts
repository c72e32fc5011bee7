import { ChainError, SigningError } from '../../application/ports/chain.ts';
import { DatabaseError, InvalidCursorError } from '../../application/ports/database.ts';
import {
  EngineBusyError,
  EngineRestartingError,
  RequestExpiredError,
  RequestRepeatedError,
} from '../../application/ports/exchange.ts';
import type { GatewayFailure, ParameterFailure } from './gateway-failure.ts';

/** One fault that the schema check reports. */
interface SchemaFault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

interface FrameworkError extends Error {
  readonly code?: string;
  readonly statusCode?: number;
  readonly validation?: readonly SchemaFault[];
  readonly validationContext?: string;
}

/** The caller's fault or the known failure behind a thrown error; null: an unexpected error. */
export function failureFromError(error: unknown): GatewayFailure | null {
  if (error instanceof EngineBusyError) return { reason: 'engine_busy' };
  if (error instanceof EngineRestartingError) return { reason: 'engine_restarting' };
  if (error instanceof RequestRepeatedError) return { reason: 'request_repeated' };
  if (error instanceof RequestExpiredError) return { reason: 'timestamp_invalid' };
  if (error instanceof DatabaseError) return { reason: 'database_failed' };
  if (error instanceof ChainError) return { reason: 'chain_failed' };
  if (error instanceof SigningError) return { reason: 'signing_failed' };
  if (error instanceof InvalidCursorError) {
    return malformed('cursor', 'cursor: not one that this list gave');
  }
  return error instanceof Error ? failureFromFramework(error) : null;
}

/** The failure for a parameter that cannot be parsed. */
export function malformed(parameter: string, detail: string): ParameterFailure {
  return { reason: 'parameter_malformed', parameter, detail };
}

function failureFromFramework(error: FrameworkError): GatewayFailure | null {
  const fault = error.validation?.[0];
  if (fault !== undefined) return failureFromFault(fault, error.validationContext ?? 'body');
  switch (error.code ?? '') {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { reason: 'payload_too_large' };
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return malformed('content-type', 'content-type: application/json or a form is expected');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return malformed('content-length', 'content-length: not the length of the body');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return malformed('body', 'body: not valid JSON');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return { reason: 'path_not_found' };
    default:
      break;
  }
  // What the framework itself calls a bad request came from the caller, for example a truncated
  // body. Its text can quote the input and is not passed on.
  const isCallersFault = error.statusCode !== undefined && error.statusCode < 500;
  return isCallersFault ? malformed('body', 'body: malformed') : null;
}

function failureFromFault(fault: SchemaFault, context: string): GatewayFailure {
  const part = context === 'querystring' ? 'query' : context;
  const place = fault.instancePath.slice(1).replaceAll('/', '.');
  const message = fault.message ?? 'malformed';
  switch (fault.keyword) {
    case 'required': {
      const name = joinPlace(place, String(fault.params['missingProperty']));
      return { reason: 'parameter_missing', parameter: name, detail: `${name}: required` };
    }
    case 'additionalProperties': {
      const name = joinPlace(place, String(fault.params['additionalProperty']));
      return malformed(name, `${name}: unknown field`);
    }
    case 'enum':
    case 'const': {
      const name = place === '' ? part : place;
      const detail = `${name}: ${message}${listAllowed(fault)}`;
      return { reason: 'parameter_unknown_member', parameter: name, detail };
    }
    default: {
      const name = place === '' ? part : place;
      return malformed(name, `${name}: ${message}`);
    }
  }
}

function joinPlace(place: string, name: string): string {
  // A caller can send any field name; the answer quotes only harmless ones.
  const expected = /^[A-Za-z0-9_.-]{1,64}$/.test(name) ? name : 'a field';
  return place === '' ? expected : `${place}.${expected}`;
}

function listAllowed(fault: SchemaFault): string {
  const allowed = fault.params['allowedValues'];
  return Array.isArray(allowed) ? ` (${allowed.join(', ')})` : '';
}
