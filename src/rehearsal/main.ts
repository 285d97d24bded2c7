/** `npm run rehearse`: shows the effect of proposed rules, groups and memberships before they are set. */
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import type { z } from 'zod';
import { accounts } from '../../projections/accounts/accounts.js';
import { readCheckpoint } from '../../projections/engine/checkpoint.js';
import { schemaOf } from '../../projections/projection.js';
import { quota } from '../../projections/quota/quota.js';
import { npmScript, print } from '../programs/command-line.js';
import type { Connections } from '../connections.js';
import { START, type Position } from '../event-store/event-store.js';
import { parseJson, stringifyJson } from '../values/json.js';
import { inWords, runProgram, UsageError } from '../programs/program.js';
import { DEFAULT_DAYS, MAX_DAYS, ProposalFile } from './proposal-shape.js';
import { rehearse } from './rehearse.js';
import { asTables } from './tables.js';

interface Options {
  readonly days?: number;
  readonly json?: true;
}

const EXIT = { fine: 0, found: 1 } as const;
const DAY_MS = 86_400_000;
const SHAPE = 'docs/quota-history.md shows what a proposal looks like';

const program = npmScript('rehearse')
  .description('What proposed quota rules, groups and memberships would come to. Changes nothing.')
  .argument('<proposal>', 'a JSON file: {"rules": […], "groups": […], "default_groups": […], "days": 7}')
  .option(
    '--days <number>',
    `play the operations of so many days again, 1 to ${MAX_DAYS} (default: what the proposal says, or ${DEFAULT_DAYS})`,
    daysOf,
  )
  .option('--json', 'as JSON, as the API gives it')
  .addHelpText(
    'after',
    '\nExit status: 0 nobody would be over or have been refused; 1 somebody would; 2 no answer.',
  );

program.parse();
const [path = ''] = program.args;
const options = program.opts<Options>();
const searchPath = [schemaOf(quota), schemaOf(accounts)];

await runProgram({ applicationName: 'tallyforge-rehearse', searchPath }, async ({ db, log }) => {
  const { days: proposed = DEFAULT_DAYS, ...proposal } = await proposalIn(path);
  const { days = proposed, json } = options;
  const since = new Date(Date.now() - days * DAY_MS);
  const position = await positionOf(db);
  const answer = await rehearse({ db, log }, proposal, { position, since }).catch(inWords);
  print(json ? stringifyJson({ days, ...answer }) : asTables(answer));
  return answer.over_total + answer.refused_total > 0 ? EXIT.found : EXIT.fine;
});

function daysOf(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= MAX_DAYS) return number;
  throw new InvalidArgumentError(`a whole number from 1 to ${MAX_DAYS} is needed.`);
}

async function proposalIn(file: string): Promise<z.output<typeof ProposalFile>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} cannot be read: ${reason}`, `name a file. ${SHAPE}`);
  });
  const { success, data, error } = ProposalFile.safeParse(jsonIn(file, text));
  if (success) return data;
  const problems = error.issues.map(({ path, message }) =>
    [file, path.join('.'), message].filter(Boolean).join(': '),
  );
  throw new UsageError(problems.join('\n'), SHAPE);
}

function jsonIn(file: string, text: string): unknown {
  try {
    return parseJson(text.replace(/^\uFEFF/, '')); // editors on Windows begin a file with it
  } catch {
    throw new UsageError(`${file} is not JSON`, SHAPE);
  }
}

/** Returns the position of the read models. */
async function positionOf(db: Connections['db']): Promise<Position> {
  return (await readCheckpoint(db, schemaOf(quota)))?.position ?? START;
}
