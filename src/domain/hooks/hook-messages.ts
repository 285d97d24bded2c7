import type { Message } from '../decider.js';
import type { HookEventName } from './hook-events.js';

/** What a hook belongs to: a repository, the user or organization that owns repositories, or the whole server. */
export type HookPlace = {
  readonly scope: 'repository' | 'user' | 'organization' | 'system';
  /** Of the repository or the account; 0 for the whole server. */
  readonly ownerId: number;
};

/** The types of hooks that are served: all get the same bodies. */
export const hookTypes = ['forgejo', 'gitea', 'gogs'] as const;
/** Which server's hooks it stands in for; chosen when the hook is created, and never changed. */
export type HookType = (typeof hookTypes)[number];

/** What can be changed of a hook; the ids of secrets are null where it has none. */
export type HookFacts = {
  readonly url: string;
  /** How bodies are sent: as they are, or as the field `payload` of a form. */
  readonly contentType: 'json' | 'form';
  /** In canonical order. */
  readonly events: readonly HookEventName[];
  /** A glob over names of branches; empty for all. */
  readonly branchFilter: string;
  readonly isActive: boolean;
  /** What the vault keeps under these ids: its deliveries are signed with it, or it is the header that they sign in with. */
  readonly secretId: string | null;
  readonly authorizationId: string | null;
};

/** What one hook is told; editing or deleting one that is not there is refused as `not-found`. */
export type HookCommand =
  | Message<'CreateHook', { hookId: number; type: HookType; facts: HookFacts; at: string } & HookPlace>
  | Message<'EditHook', { changes: Partial<HookFacts>; at: string }>
  | Message<'DeleteHook', { at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** What happened to one hook, each time with its place. An edit names only what changed. */
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

/** The ids of the secrets that stand in these facts. */
export const secretsNamed = ({ secretId, authorizationId }: Partial<HookFacts>): string[] =>
  [secretId, authorizationId].filter((id) => typeof id === 'string');
