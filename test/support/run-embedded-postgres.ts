import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.ts';
import { silentLog } from './database-url.ts';

// A separate process that runs the embedded database of a folder: prints its address, then does as
// the first word on its standard input says.

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('the folder is missing');
try {
  const postgres = await startEmbeddedPostgres({ folder, log: silentLog });
  process.stdout.write(`${JSON.stringify(postgres.address)}\n`);
  process.stdin.once('data', (word: Buffer) => {
    if (word.toString().trim() === 'exit') process.exit(0);
    void postgres.stop().then(() => process.exit(0));
  });
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`);
  process.exit(1);
}
