import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dataDir } from '../support/data-dir.js';
import { Installation } from '../support/processes/installation.js';
import { matches, walkThrough, type Step } from './walk-through.js';

const ADMIN = { ADMIN_USERNAME: 'root', ADMIN_PASSWORD: 'password' };

/**
 * Has whoever comes next wait until the read models show everything. On a slow machine an answer comes before that, which
 * its headers say, and somebody else who asks next does not see what was written.
 */
const PATIENCE = `
shown() {
  until command curl -s "$TALLYFORGE/readyz" | grep -v '"lagEvents":[1-9]' | grep -q '"lagEvents":0'; do sleep 0.02; done
}
curl() { command curl "$@" && shown; }
git() { command git "$@" && shown; }
shown`;

/** A page, and those of its sections that are walked through. */
export interface Walk {
  readonly page: string;
  readonly titles: readonly string[];
}

/** Types what these sections tell to type, in turn, at a server of their own, and compares what they show. */
export function walkedAsTyped(walks: readonly Walk[], atLeast: number): void {
  let installation: Installation;
  /** Where the reader works. */
  let folder: Awaited<ReturnType<typeof dataDir>>;
  // The first block says where the server is, for all of them.
  const [settings, ...steps] = walks.flatMap(({ page, titles }) => {
    const text = readFileSync(page, 'utf8');
    return titles.flatMap((title) => walkThrough(text, title));
  });

  before(async () => {
    folder = await dataDir();
    installation = await Installation.create(ADMIN);
    await installation.start();
  });
  after(async () => {
    await installation.remove();
    await folder.remove();
  });

  const run = ({ commands }: Step): string => {
    const here = (settings?.commands ?? '').replace('http://127.0.0.1:3000', installation.address);
    return execFileSync('bash', ['--norc', '-euo', 'pipefail', '-c', `${here}\n${PATIENCE}\n${commands}`], {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: folder.path },
    });
  };

  for (const step of steps) {
    it(`line ${step.line}: ${step.commands.slice(0, 70)}`, () => {
      const output = run(step);
      if (step.shows?.language === 'json') {
        const [said, answered] = [JSON.parse(step.shows.text), JSON.parse(output)] as unknown[];
        if (!matches(said, answered)) expect(answered).to.deep.equal(said);
      } else if (step.shows) {
        expect(output.trim().split(/\s+/)).to.deep.equal(step.shows.text.trim().split(/\s+/));
      }
    });
  }

  it('has something to walk through', () => {
    expect(steps.length).to.be.at.least(atLeast);
  });
}
