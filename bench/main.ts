/** `npm run bench [-- --quick] [names…] [--json file]`: exit status 1 where something is below what is wanted. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { append } from './append.js';
import { command } from './command.js';
import { memory } from './memory.js';
import { read } from './read.js';
import { rebuild } from './rebuild.js';
import { subscribe } from './subscribe.js';
import { isMet, type Question } from './harness/question.js';
import { table, type Answer } from './harness/report.js';
import { openBench } from './harness/bench.js';

const questions: readonly Question[] = [read, command, append, rebuild, subscribe, memory];

interface Options {
  readonly quick?: true;
  readonly json?: string;
  readonly profile?: string;
}

const program = new Command('bench')
  .description(
    `Measures against floors in the same run.\n\n${questions.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join('\n')}`,
  )
  .argument('[names...]', 'what to measure; everything by default')
  .option('--quick', 'smaller amounts: to try things out, too noisy to judge by')
  .option('--json <file>', 'write the findings there too')
  .option('--profile <folder>', 'write CPU profiles of the api and the projector there')
  .parse();

const options = program.opts<Options>();
const chosen = program.args.length === 0 ? questions : program.args.map(find);

const answers: Answer[] = [];
const bench = await openBench({ quick: options.quick ?? false, profile: options.profile });
try {
  for (const question of chosen) {
    process.stderr.write(`${question.name}: ${question.about}\n`);
    answers.push({ question: question.name, findings: await bench.ask(question) });
  }
} finally {
  await bench.close();
}

process.stdout.write(`${table(answers)}\n`);
if (options.json !== undefined) {
  const machine = { node: process.version, cores: availableParallelism(), quick: options.quick ?? false };
  const findings = answers.flatMap(({ question, findings }) =>
    findings.map((finding) => ({ question, ...finding, met: isMet(finding) })),
  );
  await writeFile(options.json, `${JSON.stringify({ ...machine, findings }, null, 2)}\n`);
}
process.exitCode = answers.every(({ findings }) => findings.every(isMet)) ? 0 : 1;

function find(name: string): Question {
  const question = questions.find((candidate) => candidate.name === name);
  return question ?? program.error(`${name} is none of: ${questions.map((known) => known.name).join(', ')}`);
}
