import type { FastifyInstance } from 'fastify';
import { parseParameters } from './parameters.ts';

// Text without escapes contains a name literally, so searching for the two names is enough.
function mayNamePrototype(text: string): boolean {
  return text.includes('\\') || text.includes('__proto__') || text.includes('constructor');
}

/** Parses the text; undefined if it is not JSON, or names an object's prototype. */
export function readPlainJson(text: string): unknown {
  if (mayNamePrototype(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * JSON and form bodies. Each is kept as text alongside the parsed value: a signature is checked
 * over the text, and the handler gets the value parsed from that same text. Names that would reach
 * an object's prototype are malformed.
 */
export function addBodyParsers(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => {
      request.rawBody = text;
      // Clients that send this type with every request also send it with an empty body.
      if (text === '') return done(null, undefined);
      const body = readPlainJson(text);
      if (body === undefined) void parseJson(request, text, done);
      else done(null, body);
    },
  );
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, text, done) => {
      request.rawBody = text;
      request.form = parseParameters(text);
      done(null, request.form);
    },
  );
}
