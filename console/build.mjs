import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

// Builds the console into console/dist, with compressed copies of what compresses. Runs as the
// repository's prepare script; a build that fails is said and leaves the install whole, since the
// service works without the console.

const folder = dirname(fileURLToPath(import.meta.url));
const dist = join(folder, 'dist');
const compressible = /\.(js|css|html|svg|json)$/;

function filesBelow(path) {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Of everything that the build reads. */
function hashOfSources() {
  const hash = createHash('sha256');
  const sources = ['src', 'public', '../packages/client/src'].flatMap((each) =>
    filesBelow(join(folder, each)),
  );
  for (const path of [...sources, join(folder, 'index.html'), join(folder, 'vite.config.ts')]) {
    hash.update(relative(folder, path)).update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 12);
}

function isCurrent(hash) {
  try {
    return JSON.parse(readFileSync(join(dist, 'build.json'), 'utf8')).sources === hash;
  } catch {
    return false;
  }
}

function compress(path) {
  const content = readFileSync(path);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  writeFileSync(`${path}.br`, brotliCompressSync(content, quality));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}

async function buildConsole() {
  const hash = hashOfSources();
  if (isCurrent(hash)) return;
  const { build } = await import('vite').catch(() => {
    throw new Error(
      'an install without development dependencies has no vite; dist/ is used if present',
    );
  });
  // Libraries choose their build by it, whatever the installing shell has set.
  process.env.NODE_ENV = 'production';
  await build({
    configFile: join(folder, 'vite.config.ts'),
    define: { __BUILD__: JSON.stringify(hash) },
    logLevel: 'warn',
  });
  filesBelow(dist)
    .filter((path) => compressible.test(path) && !path.includes('.vite'))
    .forEach(compress);
  writeFileSync(join(dist, 'build.json'), `${JSON.stringify({ sources: hash })}\n`);
}

try {
  await buildConsole();
} catch (error) {
  console.error(`openbourse: the console was not built: ${error.message}`);
  if (process.argv.includes('--strict')) process.exitCode = 1;
}
