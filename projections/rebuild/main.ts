/** `npm run rebuild`: builds read models anew beside the live ones, compares, and swaps. */
import { Option } from 'commander';
import { npmScript, print } from '../../src/programs/command-line.js';
import type { Connections } from '../../src/connections.js';
import type { Queryable } from '../../src/database/queryable.js';
import { createLogger } from '../../src/logging/logger.js';
import { runProgram, UsageError } from '../../src/programs/program.js';
import { dropOld, ensureSchemas } from '../engine/schemas.js';
import { schemaOf, type Projection } from '../projection.js';
import { projections } from '../registry.js';
import type { RebuildContext } from './advance.js';
import type { Comparison } from './compare.js';
import { progressOn } from './progress.js';
import { rebuild, rollBack } from './rebuild.js';
import { alone } from './rebuild-lock.js';
import { describeComparison } from './report.js';
import { oldSchemaOf, schemaExists } from './schemas.js';

interface Options {
  readonly all?: true;
  readonly verify?: true;
  readonly rollback?: true;
  readonly dropOld?: true;
}

const NAMES = projections.map(({ name }) => name).join(', ');
const EXIT = { fine: 0, differs: 1 } as const;

const program = npmScript('rebuild')
  .description('Builds read models from the first event beside the live ones, compares both, and swaps.')
  .argument('[name...]', `projections: ${NAMES}`)
  .option('--all', 'every projection')
  .addOption(new Option('--verify', 'compare only, and change nothing').conflicts(['rollback', 'dropOld']))
  .addOption(
    new Option('--rollback', 'put the tables of before the last rebuild back').conflicts(['dropOld']),
  )
  .option('--drop-old', 'drop the tables of other versions and of before the last rebuild')
  .addHelpText('after', '\nExit status: 0 done; 1 rows differ (with --verify); 2 not done.')
  .parse();

const options = program.opts<Options>();

await runProgram({ applicationName: 'tallyforge-rebuild' }, (connections) => {
  const chosen = choose(program.args);
  return alone(connections.db, (lost) => run(connections, chosen, lost));
});

async function run(
  connections: Connections,
  chosen: readonly Projection[],
  lost: AbortSignal,
): Promise<number> {
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Error('interrupted'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const context: RebuildContext = {
    database: connections.db,
    connection: { url: connections.databaseUrl, applicationName: 'tallyforge-rebuild' },
    source: connections.log,
    log: createLogger({ name: 'rebuild', level: 'warn' }),
    signal: AbortSignal.any([stop.signal, lost]),
  };

  const builds = !options.verify && !options.rollback && !options.dropOld;
  if (builds) await ensureSchemas(connections.db, chosen);
  else await refuseMissing(connections.db, chosen);

  if (options.dropOld) {
    for (const schema of await dropOld(connections.db, chosen)) print(`dropped ${schema}`);
    return EXIT.fine;
  }
  if (options.rollback) {
    await refuseNothingEarlier(connections.db, chosen);
    for (const projection of chosen) {
      await rollBack(context, projection);
      print(`${projection.name}: the earlier tables serve again`);
    }
    return EXIT.fine;
  }
  const compared: Comparison[] = [];
  await rebuild(context, {
    projections: chosen,
    verify: options.verify ?? false,
    progress: progressOn(process.stderr),
    end: () => connections.log.lastPosition(),
    onCompared: (projection, comparison) => {
      compared.push(comparison);
      for (const line of describeComparison(projection, comparison)) print(line);
    },
    onFilled: ({ name }) => print(`${name}: built anew, as there were no rows to compare with`),
  });
  const differs = compared.some(({ differences }) => differences.length > 0);
  return options.verify && differs ? EXIT.differs : EXIT.fine;
}

/**
 * Throws `UsageError` if there are no tables of this release, as before its first start. Nothing can be compared with them
 * then, and those of another release may be in use.
 */
async function refuseMissing(db: Queryable, chosen: readonly Projection[]): Promise<void> {
  for (const projection of chosen)
    if (!(await schemaExists(db, schemaOf(projection))))
      throw new UsageError(
        `${projection.name} has no tables of this release`,
        `npm start builds them, or npm run rebuild -- ${projection.name}`,
      );
}

/** Throws `UsageError` if one of these has no tables from before a rebuild, so that all are put back or none. */
async function refuseNothingEarlier(db: Queryable, chosen: readonly Projection[]): Promise<void> {
  for (const projection of chosen)
    if (!(await schemaExists(db, oldSchemaOf(projection))))
      throw new UsageError(
        `${projection.name} has no earlier tables to go back to`,
        'name only projections that were rebuilt, and whose earlier tables were not dropped',
      );
}

function choose(names: readonly string[]): readonly Projection[] {
  if (options.all) return projections;
  if (names.length === 0) throw new UsageError('nothing is chosen', 'say which projections, or --all');
  return [...new Set(names)].map((name) => {
    const found = projections.find((projection) => projection.name === name);
    if (!found) throw new UsageError(`there is no projection ${name}`, `name some of ${NAMES}`);
    return found;
  });
}
