import type { Message } from '../domain/decider.js';
import type { DomainEvent } from '../domain/domain-event.js';
import { listBaseIds, listForkIds } from '../queries/repositories/ownership.js';
import { ofAccounts } from './consequences/accounts.js';
import type { Consequence, FollowingServices } from './consequences/consequence.js';
import { ofHooks } from './consequences/hooks.js';
import { ofOrganizations } from './consequences/organizations.js';
import { ofRepositories } from './consequences/repositories.js';

/** By type of event: each is given the events that it declares. */
const consequences: ReadonlyMap<string, Consequence<Message>> = new Map(
  Object.entries({ ...ofAccounts, ...ofOrganizations, ...ofRepositories, ...ofHooks }) as [
    string,
    Consequence<Message>,
  ][],
);

/**
 * What follows from an event in other streams and in the vault, to be done once its own deliveries are written; undefined
 * where nothing does. Most of it the request has done itself: it is done here for those that were cut off, and done again it
 * changes nothing.
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
