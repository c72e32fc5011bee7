import { expect, test } from 'vitest';
import { shareSchemas } from './openapi-components.ts';

const order = { type: 'object', title: 'Order', properties: { id: { type: 'string' } } };
const media = (schema: object) => ({ content: { 'application/json': { schema } } });

test('shareSchemas: a titled schema is described once and referred to', () => {
  const book = {
    type: 'object',
    title: 'Book',
    properties: { orders: { type: 'array', items: order } },
  };
  const document = {
    info: { title: 'the document' },
    paths: { '/a': media(order), '/b': media(book), '/c': media({ type: 'null' }) },
    components: { securitySchemes: {} },
  };
  const toOrder = { $ref: '#/components/schemas/Order' };
  expect(shareSchemas(document)).toEqual({
    info: document.info,
    paths: {
      '/a': media(toOrder),
      '/b': media({ $ref: '#/components/schemas/Book' }),
      '/c': media({ type: 'null' }),
    },
    components: {
      securitySchemes: {},
      schemas: {
        Book: { ...book, properties: { orders: { type: 'array', items: toOrder } } },
        Order: order,
      },
    },
  });
});

test('shareSchemas: another schema of the same title stays where it is', () => {
  const other = { ...order, properties: {} };
  const shared = shareSchemas({ paths: { '/a': media(order), '/b': media(other) } });
  expect(shared).toMatchObject({
    paths: { '/b': media(other) },
    components: { schemas: { Order: order } },
  });
});

test('shareSchemas: examples are left as they are', () => {
  const example = { type: 'object', title: 'Order', properties: {} };
  const shared = shareSchemas({ paths: { '/a': { example } } });
  expect(shared).toEqual({ paths: { '/a': { example } }, components: { schemas: {} } });
});
