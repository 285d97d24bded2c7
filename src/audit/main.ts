/** `npm run audit`: answers questions about quota from the event log alone, and compares the read models with it. */
import { InvalidArgumentError, Option } from 'commander';
import { accounts } from '../../projections/accounts/accounts.js';
import { readCheckpoint } from '../../projections/engine/checkpoint.js';
import { schemaOf } from '../../projections/projection.js';
import { quota } from '../../projections/quota/quota.js';
import { npmScript, print } from '../programs/command-line.js';
import type { Connections } from '../connections.js';
import { isMoment, positionOf } from '../event-log/moment.js';
import { START } from '../event-store/event-store.js';
import { runProgram, UsageError } from '../programs/program.js';
import { findAccountAsOf } from './find-account.js';
import { asCsv, asJson, asTable, isOver, reportOf } from './report.js';
import { standingAsOf } from './standing-as-of.js';
import { verify } from './verify.js';

interface Options {
  readonly user?: string;
  readonly asOf?: string;
  readonly json?: true;
  readonly csv?: true;
  readonly verify?: true;
}

const EXIT = { fine: 0, found: 1 } as const;
const SHOWN = 20;

const program = npmScript('audit')
  .description('Answers for quotas from the event log, as of now or any moment.')
  .option('--user <name>', 'whose quota')
  .option('--as-of <moment>', 'an RFC 3339 time, or a position in the log; now by default', momentOf)
  .addOption(new Option('--json', 'as JSON').conflicts('csv'))
  .addOption(new Option('--csv', 'as CSV, a line for each rule'))
  .addOption(
    new Option(
      '--verify',
      'replay the whole log and compare every quota row with it, those of before included',
    ).conflicts(['user', 'asOf', 'json', 'csv']),
  )
  .addHelpText(
    'after',
    '\nExit status: 0 within every limit, or no difference; 1 over a limit, or rows differ; 2 no answer.',
  );

const options = program.parse().opts<Options>();
const searchPath = [schemaOf(quota), schemaOf(accounts)];

await runProgram({ applicationName: 'tallyforge-audit', searchPath }, async (connections) => {
  if (options.verify) return compare(connections);
  if (options.user === undefined) throw new UsageError('nothing is asked', 'say --user <name> or --verify');
  return report(connections, options.user);
});

function momentOf(text: string): string {
  if (isMoment(text)) return text;
  throw new InvalidArgumentError('a position or an RFC 3339 time is needed.');
}

async function report({ log, vault }: Connections, user: string): Promise<number> {
  const { asOf } = options;
  const position = asOf === undefined ? await log.lastPosition() : await positionOf(asOf, log);
  const accountId = await findAccountAsOf(log, vault, user, position);
  if (accountId === undefined)
    throw new UsageError(
      `there was no user or organization ${user} at that moment`,
      'GET /admin/history tells when there was, for --as-of',
    );
  const time = asOf === undefined || /^\d+$/.test(asOf) ? null : asOf;
  const answer = reportOf(
    { user, account_id: accountId, as_of: { position, time } },
    await standingAsOf(log, accountId, position),
  );
  print(options.json ? asJson(answer) : options.csv ? asCsv(answer) : asTable(answer));
  return isOver(answer) ? EXIT.found : EXIT.fine;
}

async function compare({ log, db }: Connections): Promise<number> {
  const reached = (await readCheckpoint(db, schemaOf(quota)))?.position ?? START;
  const { position, rows, missing, surplus } = await verify(log, db, reached);
  for (const [title, differing] of [
    ['missing in the read model', missing],
    ['not in the log', surplus],
  ] as const) {
    if (differing.length > 0) print(`${differing.length} ${title}:`);
    for (const each of differing.slice(0, SHOWN)) print(`  ${each}`);
    if (differing.length > SHOWN) print(`  and ${differing.length - SHOWN} more`);
  }
  const same = missing.length + surplus.length === 0;
  print(`${rows} rows compared at position ${position}: ${same ? 'no difference' : 'they differ'}`);
  return same ? EXIT.fine : EXIT.found;
}
