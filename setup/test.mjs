// `npm test`: runs the checks and the tests; the last line counts both. Arguments, such as the path of one test below
// dist/, are passed to mocha, and then no check runs.
import { spawn } from 'node:child_process';
import { COMPILER } from './build.mjs';
import { prepare } from './prepare.mjs';
import { root } from './project.mjs';
import { scratchFolder } from './scratch-folder.mjs';

const CHECKS = {
  // With one thread: several would be faster, but take more CPU time, which the tests need.
  types: [COMPILER, '-p', '.', '--noEmit', '--singleThreaded', '--tsBuildInfoFile', 'dist/.checkinfo'],
  'types of the console': [COMPILER, '-p', 'console', '--singleThreaded'],
  lint: ['.bin/oxlint'],
  format: ['.bin/oxfmt', '--check', '.'],
  architecture: ['.bin/depcruise', 'src', 'projections'],
  'unused code': ['.bin/knip'],
};

const tests = (folders) => `dist/test/${folders}/**/*.test.js`;

const API = ['dist/test/http/*.test.js', tests('{http/!(repositories),webhooks,clients,erasure,console}')];
const GIT = [tests('{http/repositories,git,git-http,push,backup,docs}')];
const OTHERS = ['dist/test/**/*.test.js', ...[...API, ...GIT].flatMap((named) => ['--ignore', named])];
/**
 * The tests of each process. Three run beside the checks, because each waits at times; all take about as long. On two cores
 * four took a quarter more CPU time than two, and longer.
 */
const SHARES = [API, GIT, OTHERS];

const mochaArguments = process.argv.slice(2);
const everything = mochaArguments.length === 0;
// What is named may need no browser; what does says so where there is none.
prepare({ tests: everything, lastLine: '0 passed, 1 failed', check: !everything });
const counts = { passed: 0, failed: 0 };

const TMPDIR = scratchFolder();
const environment = { ...process.env, ...(TMPDIR && { TMPDIR }) };

if (everything) {
  await Promise.all([
    checkInTurn(Object.entries(CHECKS)),
    ...SHARES.map((share, index) => test(share, index === 0)),
  ]);
} else await test(mochaArguments, true);

console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

async function checkInTurn(checks) {
  for (const [name, [tool, ...args]] of checks) {
    const { status, output } = await execute(tool, args);
    report(name, status === 0);
    if (status !== 0) console.log(output);
  }
}

/** Runs mocha, and counts what passes and fails. Prints its output as it comes, or at the end so that outputs do not mix. */
async function test(mochaArguments, asItComes) {
  const write = (text) => process.stdout.write(text);
  const { status, signal, output } = await execute(
    '.bin/mocha',
    ['--reporter', 'dot', '--require', 'setup/tell-failures.mjs', ...mochaArguments],
    asItComes ? write : undefined,
  );
  if (!asItComes) write(output);
  const passing = counted(output, 'passing');
  counts.passed += passing;
  const failing = counted(output, 'failing');
  const cutShort = failing === 0 && (status !== 0 || passing === 0);
  // A run that was cut short, or had no tests at all, counts as a failure.
  if (cutShort) console.log(`\n✖ mocha ${mochaArguments[0]} ended with ${signal ?? `status ${status}`}`);
  counts.failed += cutShort ? 1 : failing;
}

function report(name, passed) {
  counts[passed ? 'passed' : 'failed']++;
  console.log(`\n${passed ? '✔' : '✖'} ${name}`);
}

/** Runs a tool of node_modules, and collects its output. */
function execute(tool, args, onOutput = () => undefined) {
  return new Promise((resolve, reject) => {
    const child = spawn(`node_modules/${tool}`, args, {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        onOutput(text);
      });
    }
    child.once('error', reject);
    child.once('close', (status, signal) => resolve({ status, signal, output }));
  });
}

/** Returns the number before a word at the start of a line, as in mocha's summary; that of the last such line. */
function counted(output, word) {
  const lines = [...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}\\b`, 'gm'))];
  return Number(lines.at(-1)?.[1] ?? 0);
}
