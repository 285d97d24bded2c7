import type { Message } from '../decider.js';
import type { HookEventName } from './hook-events.js';

/** What a hook belongs to: a repository, a user or organization that owns repositories, or the whole server. */
export type HookPlace = {
  readonly scope: 'repository' | 'user' | 'organization' | 'system';
  /** The id of the repository or account; 0 for the whole server. */
  readonly ownerId: number;
};

/** The supported types of hooks; all get the same bodies. */
export const hookTypes = ['forgejo', 'gitea', 'gogs'] as const;
/** The server whose hooks it imitates. Chosen at creation and never changed. */
export type HookType = (typeof hookTypes)[number];

/** The facts of a hook that can be changed. The ids of secrets are null if it has none. */
export type HookFacts = {
  readonly url: string;
  /** How bodies are sent: as JSON, or in the field `payload` of a form. */
  readonly contentType: 'json' | 'form';
  /** In canonical order. */
  readonly events: readonly HookEventName[];
  /** A glob that matches names of branches; empty for all branches. */
  readonly branchFilter: string;
  readonly isActive: boolean;
  /** The vault's ids of the secret that signs deliveries, and of the authorization header that they carry. */
  readonly secretId: string | null;
  readonly authorizationId: string | null;
};

/** The commands of one hook. Editing or deleting an absent hook is refused as `not-found`. */
export type HookCommand =
  | Message<'CreateHook', { hookId: number; type: HookType; facts: HookFacts; at: string } & HookPlace>
  | Message<'EditHook', { changes: Partial<HookFacts>; at: string }>
  | Message<'DeleteHook', { at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** The events of one hook, each with its place. An edit names only what changed. */
export type HookEvent =
  | Message<
      'HookCreated',
      { hookId: number } & HookPlace & { type: HookType } & HookFacts & { createdAt: string }
    >
  | Message<
      'HookEdited',
      { hookId: number } & HookPlace & {
          changes: Partial<HookFacts>;
          before: Partial<HookFacts>;
          editedAt: string;
        }
    >
  | Message<'HookDeleted', { hookId: number } & HookPlace & { deletedAt: string }>;

/** Returns the ids of the secrets that these facts name. */
export const secretsNamed = ({ secretId, authorizationId }: Partial<HookFacts>): string[] =>
  [secretId, authorizationId].filter((id) => typeof id === 'string');
