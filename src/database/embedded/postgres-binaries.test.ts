import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  locatePostgresPackage,
  type PostgresPackage,
  preparePostgresBinaries,
} from './postgres-binaries.ts';

const isRoot = process.getuid?.() === 0;
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : null;

let root: string;
/** The package below a home of mode 700, after an install without scripts. */
let hidden: PostgresPackage;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'openbourse-binaries-'));
  await chmod(root, 0o755);
  const installed = await locatePostgresPackage();
  const nativeFolder = join(root, 'home', 'native');
  await mkdir(join(root, 'home'), { mode: 0o700 });
  await cp(installed.nativeFolder, nativeFolder, { recursive: true, verbatimSymlinks: true });
  for (const link of installed.links) await rm(join(nativeFolder, link.path), { force: true });
  hidden = { ...installed, nativeFolder };
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

describe('preparePostgresBinaries', () => {
  it('binaries: missing library links are put in place where the package can be used', async () => {
    const nativeFolder = join(root, 'own');
    await cp(hidden.nativeFolder, nativeFolder, { recursive: true, verbatimSymlinks: true });
    await chmod(nativeFolder, 0o755);
    const binaries = await preparePostgresBinaries(nobody, [], { ...hidden, nativeFolder });
    expect(binaries.postgres).toBe(join(nativeFolder, 'bin', 'postgres'));
    for (const link of hidden.links) {
      expect((await lstat(join(nativeFolder, link.path))).isSymbolicLink()).toBe(true);
    }
  });

  // One after the other on one folder: each copy has 60 MB.
  describe.skipIf(!isRoot)('below a home of mode 700 (needs root to try)', () => {
    let copies: string;
    let copy: string;
    beforeAll(async () => {
      copies = await mkdtemp(join(root, 'copies-'));
      await chmod(copies, 0o755);
    });

    it('binaries: are copied once to a folder that the server can read', async () => {
      const binaries = await preparePostgresBinaries(nobody, [copies], hidden);
      copy = join(copies, (await readdir(copies))[0] ?? '');
      expect(binaries.postgres).toBe(join(copy, 'bin', 'postgres'));
      const made = (await lstat(copy)).ino;
      await preparePostgresBinaries(nobody, [copies], hidden);
      expect((await lstat(copy)).ino).toBe(made);
      expect(await readdir(copies)).toHaveLength(1);
    });

    it('binaries: a copy that lost a file is made again', async () => {
      const lost = join(copy, 'share', 'postgresql', 'timezonesets', 'Default');
      await rm(lost);
      await preparePostgresBinaries(nobody, [copies], hidden);
      expect((await lstat(lost)).isFile()).toBe(true);
      expect(await readdir(copies)).toHaveLength(1);
    });

    it("binaries: another user's folder, a link, or a folder that others may write is never used", async () => {
      const refused = 'is there and not ours alone to write';
      const preparing = () => preparePostgresBinaries(nobody, [copies], hidden);
      await chown(copy, 1, 1);
      await expect(preparing()).rejects.toThrow(refused);
      await chown(copy, 0, 0);
      await chmod(copy, 0o777);
      await expect(preparing()).rejects.toThrow(refused);
      await chmod(copy, 0o755);
      await rename(copy, join(root, 'elsewhere'));
      await symlink(join(root, 'elsewhere'), copy);
      await expect(preparing()).rejects.toThrow(refused);
      await rm(copy);
      await rename(join(root, 'elsewhere'), copy);
      expect((await preparing()).initdb).toBe(join(copy, 'bin', 'initdb'));
    });

    it('binaries: if one folder cannot be used, the next one is', async () => {
      await chown(copy, 1, 1);
      const binaries = await preparePostgresBinaries(nobody, [copies, `${copies}/next`], hidden);
      expect(binaries.postgres.startsWith(join(copies, 'next'))).toBe(true);
    });
  });
});
