import type { Message } from '../domain/decider.js';
import type { DomainEvent } from '../domain/domain-event.js';
import { listBaseIds, listForkIds } from '../queries/repositories/ownership.js';
import { ofAccounts } from './consequences/accounts.js';
import type { Consequence, FollowingServices } from './consequences/consequence.js';
import { ofHooks } from './consequences/hooks.js';
import { ofOrganizations } from './consequences/organizations.js';
import { ofRepositories } from './consequences/repositories.js';

/** The consequences by type of event. Each is called only with events of its type. */
const consequences: ReadonlyMap<string, Consequence<Message>> = new Map(
  Object.entries({ ...ofAccounts, ...ofOrganizations, ...ofRepositories, ...ofHooks }) as [
    string,
    Consequence<Message>,
  ][],
);

/**
 * Returns a function that gives the work to do in other streams and in the vault once an event's own deliveries are
 * written; undefined if there is none. The request has usually done this work itself. It is repeated here for requests
 * that were interrupted, and changes nothing if it was done already.
 */
export function afterwards(
  given: Omit<FollowingServices, 'forksOf' | 'basesOf'>,
): (event: DomainEvent) => (() => Promise<void>) | undefined {
  const services: FollowingServices = {
    ...given,
    forksOf: (repositoryId) => listForkIds(given.db, repositoryId),
    basesOf: (ownerId) => listBaseIds(given.db, ownerId),
  };
  return (event) => {
    const consequence = consequences.get(event.type);
    if (!consequence || consequence.when?.(event.data) === false) return undefined;
    return () => consequence.follow(event, services);
  };
}
