import { afterEach, describe, expect, test } from 'vitest';
import { type NodeScript, startScriptedNode } from '../../../test/support/chain/scripted-node.ts';
import { requireBlockTag } from './require-block-tag.ts';

// Whether a start continues, given each provider's answer about the manifest's block tag.

const block = { number: '0x1' };
const known: NodeScript = () => ({ result: block });
const silent: NodeScript = () => null;
const refusing =
  (error: { readonly code: number; readonly message: string }): NodeScript =>
  ([tag]) =>
    tag === 'latest' ? { result: block } : { error };
const unknownTag = refusing({ code: -32_602, message: 'invalid params' });

describe('block tag', () => {
  const closers: (() => Promise<void>)[] = [];

  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });

  async function ask(scripts: readonly NodeScript[]) {
    const nodes = await Promise.all(scripts.map((script) => startScriptedNode(script)));
    closers.push(...nodes.map(({ close }) => close));
    const urls = nodes.map(({ url }) => url);
    const quorum = Math.floor(urls.length / 2) + 1;
    return requireBlockTag({ urls, quorum, tag: 'finalized', timeoutMs: 200 });
  }

  test('fault 4: a start is refused where too few providers know `finalized`', async () => {
    await expect(ask([known, unknownTag, unknownTag])).rejects.toThrow(
      'too few providers support the block tag finalized that the manifest requires: ' +
        'provider 2, provider 3 of 3 refused it, and 2 have to agree',
    );
    await expect(ask([unknownTag])).rejects.toThrow('provider 1 of 1 refused it, and 1 have to');
  });

  test.each([
    { code: -32_602, message: 'anything' },
    { code: -32_601, message: 'anything' },
    { code: -32_000, message: 'unknown block tag' },
    { code: -32_000, message: 'block tag not supported' },
    { code: 0, message: 'invalid argument 0: hex string without 0x prefix' },
  ])('block tag: $code `$message` refuses it', async (error) => {
    await expect(ask([refusing(error)])).rejects.toThrow('refused it');
  });

  test.each<[string, NodeScript[]]>([
    ['one provider of three refuses it', [unknownTag, known, known]],
    ['the providers do not answer', [silent, silent, unknownTag]],
    ['a node has no final block yet', [refusing({ code: -32_000, message: 'block not found' })]],
    ['a node answers null', [() => ({ result: null })]],
    [
      'a node refuses every block',
      [() => ({ error: { code: -32_602, message: 'invalid params' } })],
    ],
    ['a node limits requests', [refusing({ code: -32_005, message: 'limit exceeded' })]],
  ])('fault 4: a start goes on where %s', async (_, scripts) => {
    await expect(ask(scripts)).resolves.toBeUndefined();
  });
});
