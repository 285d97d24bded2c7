import type { Message } from '../../domain/decider.js';
import type { DomainEvent } from '../../domain/domain-event.js';
import type { HookPlace, HookType } from '../../domain/hooks/hook-messages.js';
import type { IssueEvent } from '../../domain/issues/issue-messages.js';
import { Issue } from '../../domain/issues/issue.js';
import { issueOf } from '../../domain/issues/place.js';
import type { RepositoryEvent } from '../../domain/repositories/repository-messages.js';
import { listHooksOf, type HookRow } from '../../queries/hooks/hooks.js';
import type { RepositoryRow } from '../../queries/repositories/repositories.js';
import { Turns } from '../../concurrency/turns.js';
import type { PlannedDelivery } from '../planned.js';
import { bodyText } from './body-text.js';
import { ofComment } from './comments.js';
import { ofIssue } from './issues.js';
import type { Occasion } from './occasion.js';
import { ofRefs } from './refs.js';
import { withPatience } from './patience.js';
import { findRepositoryEver } from './repository-ever.js';
import { ofCreation, ofDeletion } from './repository.js';
import { sceneOf, type Scene } from './scene.js';
import type { PayloadServices } from './services.js';
import { ofThreshold, type QuotaThresholdReached } from './thresholds.js';
import { wanting } from './wanting.js';

type OfRepository = IssueEvent | RepositoryEvent;
type Telling = OfRepository | QuotaThresholdReached;

/** The types of events that hooks may be told of. */
const tellers: ReadonlySet<string> = new Set<Telling['type']>([
  'RepositoryCreated',
  'RepositoryDeleted',
  'RefsUpdated',
  'IssueOpened',
  'IssueTitleChanged',
  'IssueBodyChanged',
  'IssueAssigneesChanged',
  'IssueMilestoneChanged',
  'IssueLabelsChanged',
  'IssueClosed',
  'IssueReopened',
  'IssueCommented',
  'CommentEdited',
  'CommentDeleted',
  'QuotaThresholdReached',
]);

/** Tells whether hooks may have to be told of an event, by its type alone. */
export const concernsHooks = ({ type }: Message): boolean => tellers.has(type);

/**
 * The payloads of one event list commits only for as long as its deliveries send no more characters than this together: a
 * push can move many branches that many hooks are told of.
 */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/**
 * Yields the deliveries of an event, in order: for each occasion, one to every active hook that existed at the event, first
 * the hooks of the repository, then of its owner, then of the whole server, each group oldest first. What brings their
 * payloads beyond `most` characters is told in brief. The read models must have processed the event.
 */
export async function* payloadsFor(
  services: PayloadServices,
  event: DomainEvent,
  most = MOST_CHARACTERS,
): AsyncGenerator<PlannedDelivery> {
  if (!concernsHooks(event)) return;
  if (event.type === 'QuotaThresholdReached') {
    yield* await ofThreshold(services, event as DomainEvent<QuotaThresholdReached>);
    return;
  }
  const telling = event as DomainEvent<OfRepository>;
  const repository = await findRepositoryEver(services, repositoryOf(telling));
  if (!repository) return;
  const scene = sceneOf(event.metadata, repository, { ...services, git: withPatience(services.git) });
  const hooksOf = hooksFinder(services, event.position);
  const turns = new Turns();
  let characters = 0;
  for (const occasion of await occasionsOf(telling, scene)) {
    const about = occasion.of ?? repository;
    const all = await hooksOf(about);
    const hooks = await wanting(all, occasion, turns);
    let texts = characters < most ? await textsFor(hooks, occasion, false) : undefined;
    if (!texts || characters + charactersIn(texts) > most) texts = await textsFor(hooks, occasion, true);
    characters += charactersIn(texts);
    for (const [hook, payload] of texts)
      yield {
        hookId: hook.id,
        key: occasion.key,
        repositoryId: about.id,
        event: occasion.event,
        eventType: occasion.eventType,
        payload,
      };
  }
}

/** Returns what each of these hooks is told of an occasion; nothing if what it is about no longer exists. */
async function textsFor(
  hooks: readonly HookRow[],
  occasion: Occasion,
  isBrief: boolean,
): Promise<readonly (readonly [HookRow, string])[]> {
  const body = hooks.length > 0 ? await occasion.body(isBrief) : undefined;
  if (!body) return [];
  // Hooks of a type share one text, because it may be large and they may be many.
  const textFor = oncePer((type: HookType) => bodyText(body, occasion.event, type));
  return hooks.map((hook) => [hook, textFor(hook.type)] as const);
}

const charactersIn = (texts: readonly (readonly [HookRow, string])[]): number =>
  texts.reduce((sum, [, { length }]) => sum + length, 0);

function occasionsOf(event: DomainEvent<OfRepository>, scene: Scene): Promise<Occasion[]> | Occasion[] {
  switch (event.type) {
    case 'RepositoryCreated':
      return ofCreation(event, scene);
    case 'RepositoryDeleted':
      return ofDeletion(scene);
    case 'RefsUpdated':
      return ofRefs(event, scene);
    case 'IssueCommented':
    case 'CommentEdited':
    case 'CommentDeleted':
      return ofComment(event, scene);
    default:
      return ofIssue(event as DomainEvent<IssueEvent>, scene);
  }
}

const repositoryOf = ({ stream, streamId }: DomainEvent): number =>
  stream.startsWith(`${Issue.category}-`) ? issueOf(streamId).repository_id : Number(streamId);

/** Returns a caching function that lists a repository's, its owner's and the server's hooks created before a position. */
function hooksFinder({ db }: Pick<PayloadServices, 'db'>, before: bigint) {
  const found = new Map<number, Promise<HookRow[]>>();
  return (repository: RepositoryRow): Promise<HookRow[]> => {
    const places: readonly HookPlace[] = [
      { scope: 'repository', ownerId: repository.id },
      { scope: repository.owner.kind, ownerId: repository.owner_id },
      { scope: 'system', ownerId: 0 },
    ];
    const hooks = found.get(repository.id) ?? listHooksOf(db, places, before);
    found.set(repository.id, hooks);
    return hooks;
  };
}

/** Wraps `make` so that it is called once per key. */
function oncePer<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
