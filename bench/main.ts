/** `npm run bench [-- --quick] [names…]`: exits with status 1 if a result misses its target. */
import { npmScript } from '../src/programs/command-line.js';
import { append } from './append.js';
import { command } from './command.js';
import { git } from './git.js';
import { hidden } from './hidden.js';
import { history } from './history.js';
import { hooks } from './hooks.js';
import { issues } from './issues.js';
import { markdown } from './markdown.js';
import { memory } from './memory.js';
import { people } from './people.js';
import { read } from './read.js';
import { rebuild } from './rebuild.js';
import { repositories } from './repositories.js';
import { start } from './start.js';
import { subscribe } from './subscribe.js';
import type { Question } from './harness/question.js';
import { allMet, inJson, table, type Answer } from './harness/report.js';
import { openBench } from './harness/bench.js';

const questions: readonly Question[] = [
  read,
  command,
  append,
  rebuild,
  subscribe,
  memory,
  start,
  hidden,
  people,
  repositories,
  git,
  issues,
  hooks,
  markdown,
  history,
];

interface Options {
  readonly quick?: true;
  readonly profile?: string;
}

const program = npmScript('bench')
  .description('Measures against floors in the same run.')
  .argument('[names...]', 'what to measure; everything by default')
  .option('--quick', 'smaller amounts: to try things out, too noisy to judge by')
  .option('--profile <folder>', 'write CPU profiles of the api and the projector there')
  .addHelpText(
    'after',
    `\nNames:\n${questions.map(({ name, about }) => `  ${name.padEnd(14)}${about}`).join('\n')}`,
  )
  .addHelpText(
    'after',
    '\nExit status: 0 all is as wanted; 1 something is not, or was not measured; 2 wrong use.',
  )
  .parse();

const { quick = false, profile } = program.opts<Options>();
const chosen = program.args.length === 0 ? questions : program.args.map(find);

const answers: Answer[] = [];
const unanswered: string[] = [];
const bench = await openBench({ quick, profile });
try {
  for (const question of chosen) {
    process.stderr.write(`${question.name}: ${question.about}\n`);
    try {
      answers.push({ question: question.name, findings: await bench.ask(question) });
    } catch (error) {
      unanswered.push(question.name);
      console.error(error); // the other questions may still be answered
    }
  }
} finally {
  await bench.close();
}

process.stdout.write(`${table(answers)}\n\n${inJson(answers, quick)}\n`);
process.exitCode = unanswered.length === 0 && allMet(answers) ? 0 : 1;

function find(name: string): Question {
  const question = questions.find((candidate) => candidate.name === name);
  return question ?? program.error(`${name} is none of: ${questions.map((known) => known.name).join(', ')}`);
}
