import type { FastifyInstance } from 'fastify';
import { parseParameters } from './parameters.ts';

/**
 * JSON and form bodies. Each is kept as text beside what is read of it: a signature is checked over
 * the text, and the handler gets what was read of that same text. Names that would reach an
 * object's prototype are malformed.
 */
export function addBodyParsers(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => {
      request.rawBody = text;
      // Clients that send this type with every request send it with an empty body too.
      if (text === '') done(null, undefined);
      else void parseJson(request, text, done);
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
