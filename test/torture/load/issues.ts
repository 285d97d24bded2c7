import type { Random } from '../../support/random.js';
import { issueState, issueText, type IssueState } from '../model/repository.js';
import type { Place, Session } from '../session.js';

const LABELS = 4;

const hasIssues = ({ model }: Place): boolean => !model.isFork;

export async function openIssue(session: Session, random: Random): Promise<void> {
  const { name, model } = session.somewhere(random, hasIssues);
  const title = session.fresh('issue');
  const labels = random.some(model.labels.names);
  const body = { title, labels: ids(model.labelIds, labels) };
  const result = await session.write('POST', `/repos/${name}/issues`, body, 201);
  if (result === 'refused') return;
  model.issues.note(result, title, issueText({ state: 'open', labels }));
  if (!result) return;
  const { number } = result.json as { number: number };
  for (const [other, taken] of model.numbers)
    if (taken === number) session.violation(`${name}: #${number} is ${other} and ${title}`);
  model.numbers.set(title, number);
  model.owed.add(`issue ${title}`);
}

export async function editIssue(session: Session, random: Random): Promise<void> {
  const chosen = someIssue(session, random);
  if (!chosen) return;
  const { place, title, before, path } = chosen;
  const after: IssueState = { ...before, state: before.state === 'open' ? 'closed' : 'open' };
  const result = await session.write('PATCH', path, { state: after.state }, 201);
  if (result !== 'refused') place.model.issues.note(result, title, issueText(after));
}

export async function setLabels(session: Session, random: Random): Promise<void> {
  const chosen = someIssue(session, random);
  if (!chosen) return;
  const { place, title, before, path } = chosen;
  const { issues, labels, labelIds } = place.model;
  const after: IssueState = { ...before, labels: random.some(labels.names) };
  const body = { labels: ids(labelIds, after.labels) };
  const result = await session.write('PUT', `${path}/labels`, body, 200);
  if (result !== 'refused') issues.note(result, title, issueText(after));
}

export async function comment(session: Session, random: Random): Promise<void> {
  const chosen = someIssue(session, random);
  if (!chosen) return;
  const { model } = chosen.place;
  const text = session.fresh('comment');
  const result = await session.write('POST', `${chosen.path}/comments`, { body: text }, 201);
  if (result === 'refused') return;
  model.comments.note(result, text, chosen.title);
  if (result) model.owed.add(`comment ${text}`);
}

export async function createLabel(session: Session, random: Random): Promise<void> {
  const { name, model } = session.somewhere(random, hasIssues);
  const label = model.labels.undoubted(session.some('l', random, LABELS));
  const isFree = model.labels.isFree(label);
  if (!isFree) return;
  const result = await session.write('POST', `/repos/${name}/labels`, { name: label, color: '#00aabb' }, 201);
  if (result === 'refused') return;
  model.labels.note(result, label, '00aabb');
  if (result) model.labelIds.set(label, (result.json as { id: number }).id);
}

interface Chosen {
  readonly place: Place;
  readonly title: string;
  readonly before: IssueState;
  readonly path: string;
}

function someIssue(session: Session, random: Random): Chosen | undefined {
  const place = session.somewhere(random, hasIssues);
  const title = random.anyOf(place.model.issues.names);
  const number = title === undefined ? undefined : place.model.numbers.get(title);
  const before = title === undefined ? undefined : place.model.issues.get(title);
  if (title === undefined || number === undefined || before === undefined) return undefined;
  return { place, title, before: issueState(before), path: `/repos/${place.name}/issues/${number}` };
}

const ids = (known: ReadonlyMap<string, number>, names: readonly string[]): number[] =>
  names.flatMap((name) => known.get(name) ?? []);
