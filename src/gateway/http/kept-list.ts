import type { RawAnswer } from './endpoint.ts';
import { jsonType } from './send-error.ts';

const objectEnd = Buffer.from('}');

/**
 * A list as JSON whose items are written again only once they change. A long list that rarely
 * changes then costs a comparison of its items. It is kept as bytes, since encoding half a megabyte
 * of text for each answer takes a millisecond.
 */
export class KeptList<Item> {
  readonly #isSame: (kept: Item, item: Item) => boolean;
  readonly #describe: (item: Item) => object;
  #items: readonly Item[] = [];
  #texts: readonly string[] = [];
  #list = Buffer.from('[]');

  constructor(isSame: (kept: Item, item: Item) => boolean, describe: (item: Item) => object) {
    this.#isSame = isSame;
    this.#describe = describe;
  }

  write(items: readonly Item[]): Buffer {
    let isSame = items.length === this.#items.length;
    const texts = items.map((item, index) => {
      const kept = this.#items[index];
      const text = this.#texts[index];
      if (kept !== undefined && text !== undefined && this.#isSame(kept, item)) return text;
      isSame = false;
      return JSON.stringify(this.#describe(item));
    });
    if (!isSame) this.#list = Buffer.from(`[${texts.join(',')}]`);
    this.#items = items;
    this.#texts = texts;
    return this.#list;
  }
}

/** An object whose last field is a list that is written already. */
export function listAnswer(fields: object, name: string, list: Buffer): RawAnswer {
  const before = Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"${name}":`);
  return rawJson(Buffer.concat([before, list, objectEnd]));
}

/** A success that is JSON already. */
export function rawJson(text: Buffer): RawAnswer {
  return { kind: 'raw', status: 200, contentType: jsonType, text };
}
