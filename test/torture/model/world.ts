import { QuotaModel } from '../../support/processes/quota-model.js';
import { Known } from './known.js';
import type { RepositoryModel } from './repository.js';

/** What one client has been told, or may believe, of all that it changes. */
export class World {
  /** Its repositories and those of its organizations, by full name. */
  readonly repositories = new Known<'there'>();
  /** What is in those, and in the shared one. */
  readonly contents = new Map<string, RepositoryModel>();
  readonly users = new Known<'there'>();
  readonly organizations = new Known<'there'>();
  /** Ids by `organization/team`. */
  readonly teams = new Known<string>();
  /** By `organization/team/user`. */
  readonly members = new Known<'there'>();
  quota = new QuotaModel();
}
