import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '../..');

export interface SourceFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const ignored = /(^|\/)(node_modules|data|coverage|out|cache)\//;

/** The project's own files below a folder whose names end so. */
export function listSourceFiles(folder: string, ending = '.ts'): readonly SourceFile[] {
  const output = execFileSync('find', [folder, '-type', 'f', '-name', `*${ending}`], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  return output
    .split('\n')
    .filter((path) => path !== '' && !ignored.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));
}

const importPattern = /(?:from|import)\s*\(?\s*'([^']+)'/g;

/** What a file imports: project paths for relative imports, else the module's name. */
export function importsOf(file: SourceFile): readonly string[] {
  return [...file.text.matchAll(importPattern)].map(([, target = '']) =>
    target.startsWith('.') ? posix.join(posix.dirname(file.path), target) : target,
  );
}
