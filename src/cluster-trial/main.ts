import { Command, InvalidArgumentError } from 'commander';
import { compareFolder } from './compare.ts';
import { beginWithout, changeMembers, showMembers } from './operate.ts';
import { runTrial, type TrialOptions } from './trial.ts';

// npm run cluster: several processes of one exchange to try them out, and what an operator of a
// real one does with its members.

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0 && count < 65_536) return count;
  throw new InvalidArgumentError('it is a whole number from 1 on.');
}

const program = new Command('cluster')
  .description('Run several processes of one exchange on this machine, to try them out.')
  .option('--processes <count>', 'how many', parseCount, 3)
  .option(
    '--port <port>',
    'port of the first one; the others get the following ports',
    parseCount,
    8081,
  )
  .option('--nats-port <port>', 'of the NATS server', parseCount, 4222)
  .option('--folder <folder>', 'folder of their data', './data/cluster')
  .allowExcessArguments(false)
  .action(() => report(() => runTrial(program.opts<TrialOptions>())));

program
  .command('members')
  .description('Show the members of the exchange at NATS_URL and DATABASE_URL, or change them.')
  .option('--add <member>', 'enter a process that follows the log')
  .option('--remove <member>', 'take a member off the list')
  .option('--replace <members...>', 'OLD NEW: both at once')
  .allowExcessArguments(false)
  .action((options: MembersOptions) => report(() => members(options)));

program
  .command('begin')
  .description('Let an epoch begin although members are away whose journals may be missing.')
  .requiredOption('--without <members...>', 'the members that are lost')
  .option('--accept-loss', 'what only their journals hold is lost')
  .allowExcessArguments(false)
  .action((options: { readonly without: readonly string[]; readonly acceptLoss?: boolean }) =>
    report(() => beginWithout(options.without, options.acceptLoss === true)),
  );

program
  .command('compare <folder>')
  .description("Compare a stopped process's data folder with the log: where they part.")
  .action((folder: string) => report(() => compareFolder(folder)));

await program.parseAsync();

interface MembersOptions {
  readonly add?: string;
  readonly remove?: string;
  readonly replace?: readonly string[];
}

async function members({ add, remove, replace }: MembersOptions): Promise<void> {
  const isChange = add !== undefined || remove !== undefined || replace !== undefined;
  if (!isChange) return showMembers();
  if (replace === undefined) return changeMembers({ add: add ?? null, remove: remove ?? null });
  const [before, after, ...further] = replace;
  const isPair = before !== undefined && after !== undefined && further.length === 0;
  if (!isPair || add !== undefined || remove !== undefined) {
    throw new Error('--replace takes the old and the new member, and no other option');
  }
  return changeMembers({ add: after, remove: before });
}

async function report(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`cluster: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
