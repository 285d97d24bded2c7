/** `npm run restore -- <folder>`: creates an installation from a back-up, in an empty `DATA_DIR`. */
import { npmScript, print } from '../../programs/command-line.js';
import { readConfig } from '../../config.js';
import { exitWith, UsageError } from '../../programs/program.js';
import { restore } from './restore.js';

const EXIT = { whole: 0, incomplete: 1 } as const;

const program = npmScript('restore')
  .description('Makes an installation of a back-up, in an empty DATA_DIR and an empty database.')
  .argument('<folder>', 'that npm run backup made')
  .addHelpText('after', '\nExit status: 0 done; 1 done but for what it names; 2 not done.')
  .parse();

const [folder = ''] = program.args;

await exitWith(async () => {
  const config = readConfig(process.env);
  if (config.eventStoreUrl !== undefined)
    throw new UsageError(
      'EVENTSTORE_URL is set, and a back-up holds a log in PostgreSQL',
      'unset it, or see docs/operations.md',
    );
  const { repositories, open, position } = await restore(folder, config, print);
  for (const line of open) print(line);
  print(
    `${config.dataDir}: as of position ${position}, with ${repositories} repositories. npm start serves it.`,
  );
  return open.length === 0 ? EXIT.whole : EXIT.incomplete;
});
