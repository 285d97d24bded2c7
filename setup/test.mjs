// `npm test`: the checks, then the tests; the last line counts both. Arguments, such as the path of one test
// below dist/, go to mocha instead, and then no check runs.
import { spawn } from 'node:child_process';
import { COMPILER } from './build.mjs';
import { prepare } from './prepare.mjs';
import { root } from './project.mjs';
import { scratchFolder } from './scratch-folder.mjs';

const CHECKS = {
  // By one thread: several take less time and more of the processors, which the tests are using.
  types: [COMPILER, '-p', '.', '--noEmit', '--singleThreaded', '--tsBuildInfoFile', 'dist/.checkinfo'],
  'types of the console': [COMPILER, '-p', 'console', '--singleThreaded'],
  lint: ['.bin/oxlint'],
  format: ['.bin/prettier', '--check', '.'],
  architecture: ['.bin/depcruise', 'src', 'projections'],
  'unused code': ['.bin/knip'],
};

const tests = (folders) => `dist/test/${folders}/**/*.test.js`;

const NAMED = [
  tests('{http/!(repositories),webhooks}'),
  tests('{http/repositories,backup,clients,docs,erasure}'),
  tests('{console,event-store,outgoing,processes,start,torture}'),
];
/** Four processes take the tests while another checks, since each of them waits much of the time; about as long as each other. */
const SHARES = [
  ['dist/test/http/*.test.js', NAMED[0]],
  [NAMED[1]],
  [NAMED[2]],
  ['dist/test/**/*.test.js', ...['dist/test/http/**', ...NAMED].flatMap((named) => ['--ignore', named])],
];

const mochaArguments = process.argv.slice(2);
const everything = mochaArguments.length === 0;
prepare({ browser: true, lastLine: '0 passed, 1 failed', check: !everything });
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

/** Counts what passes and fails; what is printed comes as it is or, lest two outputs mix, at the end. */
async function test(mochaArguments, asItComes) {
  const write = (text) => process.stdout.write(text);
  const { status, output } = await execute(
    '.bin/mocha',
    ['--reporter', 'dot', ...mochaArguments],
    asItComes ? write : undefined,
  );
  if (!asItComes) write(output);
  const passing = counted(output, 'passing');
  counts.passed += passing;
  // A run that broke off, or one without any test, has failed too.
  counts.failed += counted(output, 'failing') || (status !== 0 || passing === 0 ? 1 : 0);
}

function report(name, passed) {
  counts[passed ? 'passed' : 'failed']++;
  console.log(`\n${passed ? '✔' : '✖'} ${name}`);
}

/** Runs a tool of node_modules and collects what it prints. */
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
    child.once('close', (status) => resolve({ status, output }));
  });
}

/** The number before a word on a line of its own, as mocha's summary has it; the last such line counts. */
function counted(output, word) {
  const lines = [...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}\\b`, 'gm'))];
  return Number(lines.at(-1)?.[1] ?? 0);
}
