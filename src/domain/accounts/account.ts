import type { Message } from '../decider.js';

export type Visibility = 'public' | 'limited' | 'private';

// Stored for good: fields may be added, never renamed or removed.
export type AccountEvent =
  | Message<
      'AccountCreated',
      {
        accountId: number;
        kind: 'user' | 'organization';
        name: string;
        email: string;
        fullName: string;
        loginName: string;
        sourceId: number;
        visibility: Visibility;
        restricted: boolean;
        mustChangePassword: boolean;
        createdAt: string;
      }
    >
  | Message<
      'AccessTokenCreated',
      { accountId: number; tokenId: number; name: string; scopes: readonly string[]; lastEight: string; createdAt: string }
    >
  | Message<'AccessTokenDeleted', { accountId: number; tokenId: number; name: string; deletedAt: string }>;
