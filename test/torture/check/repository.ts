import type { Caller } from '../caller.js';
import { issueText } from '../model/repository.js';
import type { Place, Session } from '../session.js';

interface Issue {
  readonly number: number;
  readonly title: string;
  readonly state: 'open' | 'closed';
  readonly labels: readonly { readonly name: string }[];
}

/** Says how a repository differs from what its client knows of it. */
export async function compareRepository(session: Session, { name, model }: Place): Promise<void> {
  const { caller } = session.options;
  const compare = (what: string, known: Differing, actual: ReadonlyMap<string, string>): void => {
    const own = new Map([...actual].filter(([each]) => model.isOwn(each)));
    for (const text of known.differences(`${name}: ${what}`, own)) session.violation(text);
  };
  const listed = <T>(what: string, rows: readonly T[], entry: (row: T) => readonly [string, string]) =>
    byName(rows.map(entry), (twice) => {
      session.violation(`${name}: ${what} ${twice} is there twice`);
    });

  compare('branch', model.branches, await readBranches(caller, name));
  compare('file', model.files, await readFiles(caller, name));
  if (model.isFork) return; // it has no issues
  const labels = await caller.list<{ name: string; color: string }>(`/repos/${name}/labels`);
  compare(
    'label',
    model.labels,
    listed('label', labels, (label) => [label.name, label.color]),
  );

  const issues = await readIssues(caller, name);
  compare(
    'issue',
    model.issues,
    listed('issue', issues, (issue) => [issue.title, textOf(issue)]),
  );
  for (const { title, number } of issues) {
    const known = model.numbers.get(title);
    if (known !== undefined && known !== number)
      session.violation(`${name}: ${title} is #${number}, and was opened as #${known}`);
  }
  const titles = new Map(issues.map(({ number, title }) => [String(number), title]));
  const comments = await caller.list<{ body: string; issue_url: string }>(`/repos/${name}/issues/comments`);
  const told = listed('comment', comments, ({ body, issue_url: url }) => [
    body,
    titles.get(url.replace(/.*\//, '')) ?? url,
  ]);
  compare('comment', model.comments, told);
  if (model.isShared) return;
  const hooks = await caller.list<{ id: number; config: { url: string } }>(`/repos/${name}/hooks`);
  const hooked = listed('hook', hooks, ({ id, config }) => [config.url.replace(/.*\//, ''), String(id)]);
  compare('hook', model.hooks, hooked);
}

/** Says where the numbers of issues have a gap. */
export async function expectGapless(session: Session, { name, model }: Place): Promise<void> {
  if (model.isFork) return;
  const numbers = (await readIssues(session.options.caller, name)).map(({ number }) => number);
  const wanted = numbers.map((_, index) => index + 1);
  numbers.sort((one, other) => one - other);
  if (numbers.join() !== wanted.join()) session.violation(`${name}: issues are numbered ${numbers.join()}`);
}

export async function readBranches(caller: Caller, name: string): Promise<Map<string, string>> {
  const rows = await caller.list<{ name: string; commit: { id: string } }>(`/repos/${name}/branches`);
  return new Map(rows.map(({ name: branch, commit }) => [branch, commit.id]));
}

/** The files at the root of `main`. */
export async function readFiles(caller: Caller, name: string): Promise<Map<string, string>> {
  const { status, json } = await caller.read(`/repos/${name}/contents?ref=main`);
  if (status !== 200) return new Map();
  return new Map((json as { path: string; sha: string }[]).map(({ path, sha }) => [path, sha]));
}

const readIssues = (caller: Caller, name: string): Promise<Issue[]> =>
  caller.list<Issue>(`/repos/${name}/issues?state=all&type=issues`);

interface Differing {
  differences(what: string, actual: ReadonlyMap<string, string>): string[];
}

const textOf = ({ state, labels }: Issue): string =>
  issueText({ state, labels: labels.map(({ name }) => name) });

/** As a map; a name that comes twice is told. */
function byName(
  entries: readonly (readonly [string, string])[],
  onTwice: (name: string) => void,
): Map<string, string> {
  const map = new Map<string, string>();
  for (const [name, value] of entries) {
    if (map.has(name)) onTwice(name);
    map.set(name, value);
  }
  return map;
}
