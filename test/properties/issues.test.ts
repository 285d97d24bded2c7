import { expect } from 'chai';
import fc from 'fast-check';
import { startApi, type TestApi, type TestUser } from '../support/api.js';
import { runs } from './runs.js';

interface Issue {
  title: string;
  state: 'open' | 'closed';
  labels: readonly string[];
  comments: readonly string[];
}
/** The issues by index: the first is #1. */
interface Believed {
  readonly issues: Issue[];
}
interface Real {
  readonly ann: TestUser;
  readonly path: string;
  readonly labels: ReadonlyMap<string, number>;
}
type Step = fc.AsyncCommand<Believed, Real>;

const LABELS = ['bug', 'idea', 'late'];

/** Opens several at once: each gets an index of its own, and none is left out. */
class Open implements Step {
  constructor(private readonly titles: readonly string[]) {}
  check = () => true;
  async run({ issues }: Believed, { ann, path }: Real): Promise<void> {
    const answers = await Promise.all(this.titles.map((title) => ann.post(path, { title })));
    const opened = answers.map(({ status, json, text }) => {
      expect(status, text).to.equal(201);
      return json as { number: number; title: string };
    });
    opened.sort((one, other) => one.number - other.number);
    for (const { number, title } of opened) {
      expect(number).to.equal(issues.length + 1);
      issues.push({ title, state: 'open', labels: [], comments: [] });
    }
    expect(opened.map(({ title }) => title).sort()).to.deep.equal([...this.titles].sort());
  }
  toString = () => `open ${this.titles.join(', ')}`;
}

/** What is done to one issue, which `place` chooses among those that there are. */
abstract class OnIssue implements Step {
  constructor(protected readonly place: number) {}
  check = ({ issues }: Readonly<Believed>) => issues.length > 0;
  async run({ issues }: Believed, real: Real): Promise<void> {
    const index = this.place % issues.length;
    const issue = issues[index];
    if (issue) await this.act(issue, real, `${real.path}/${index + 1}`);
  }
  abstract act(issue: Issue, real: Real, path: string): Promise<void>;
}

class SetState extends OnIssue {
  constructor(
    place: number,
    private readonly state: Issue['state'],
  ) {
    super(place);
  }
  override async act(issue: Issue, { ann }: Real, path: string): Promise<void> {
    expect((await ann.patch(path, { state: this.state })).status).to.equal(201);
    issue.state = this.state;
  }
  override toString = () => `set ${this.place} ${this.state}`;
}

class SetLabels extends OnIssue {
  constructor(
    place: number,
    private readonly names: readonly string[],
  ) {
    super(place);
  }
  override async act(issue: Issue, { ann, labels }: Real, path: string): Promise<void> {
    const ids = this.names.map((name) => labels.get(name));
    expect((await ann.put(`${path}/labels`, { labels: ids })).status).to.equal(200);
    issue.labels = this.names;
  }
  override toString = () => `label ${this.place} ${this.names.join(', ')}`;
}

class Comment extends OnIssue {
  constructor(
    place: number,
    private readonly body: string,
  ) {
    super(place);
  }
  override async act(issue: Issue, { ann }: Real, path: string): Promise<void> {
    expect((await ann.post(`${path}/comments`, { body: this.body })).status).to.equal(201);
    issue.comments = [...issue.comments, this.body];
  }
  override toString = () => `comment ${this.place} ${this.body}`;
}

class Look extends OnIssue {
  override async act(issue: Issue, { ann }: Real, path: string): Promise<void> {
    const { title, state, labels } = (await ann.get(path)).json as Omit<Issue, 'labels'> & {
      labels: { name: string }[];
    };
    const names = labels.map(({ name }) => name).sort();
    const comments = (await ann.get(`${path}/comments`)).json as { body: string }[];
    expect({ title, state, labels: names, comments: comments.map(({ body }) => body) }).to.deep.equal({
      ...issue,
      labels: [...issue.labels].sort(),
    });
  }
  override toString = () => `look at ${this.place}`;
}

const place = fc.nat({ max: 50 });
const word = fc.stringMatching(/^[a-z]{1,8}$/);
const steps = [
  fc.array(word, { minLength: 1, maxLength: 4 }).map((titles): Step => new Open(titles)),
  fc
    .tuple(place, fc.constantFrom('open' as const, 'closed' as const))
    .map(([at, state]): Step => new SetState(at, state)),
  fc.tuple(place, fc.subarray(LABELS)).map(([at, names]): Step => new SetLabels(at, names)),
  fc.tuple(place, word).map(([at, body]): Step => new Comment(at, body)),
  place.map((at): Step => new Look(at)),
];

describe('any commands on issues', () => {
  let api: TestApi;
  let ann: TestUser;
  let repositories = 0;
  before(async () => {
    api = await startApi();
    ann = await api.createUser('ann');
  });
  after(() => api.stop());

  /** A repository without issues. */
  async function fresh(): Promise<Real> {
    const name = `project-${(repositories += 1)}`;
    expect((await ann.post('/user/repos', { name })).status).to.equal(201);
    const labels = new Map<string, number>();
    for (const label of LABELS) {
      const { json } = await ann.post(`/repos/ann/${name}/labels`, { name: label, color: '#00aabb' });
      labels.set(label, (json as { id: number }).id);
    }
    return { ann, labels, path: `/repos/ann/${name}/issues` };
  }

  it('leave what the model has, numbered without a gap', async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: 20, size: 'max' }), async (commands) => {
        const real = await fresh();
        const model: Believed = { issues: [] };
        await fc.asyncModelRun(() => ({ model, real }), commands);
        for (const index of model.issues.keys()) await new Look(index).run(model, real);
        const { json } = await ann.get(`${real.path}?state=all&limit=50`);
        const numbers = (json as { number: number }[]).map(({ number }) => number);
        expect(numbers.sort((one, other) => one - other)).to.deep.equal(
          model.issues.slice(0, 50).map((_, index) => index + 1),
        );
      }),
      runs(5),
    );
  });
});
