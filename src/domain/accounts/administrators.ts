import type { Message } from '../decider.js';

// Stored for good: fields may be added, never renamed or removed.
export type AdministratorsEvent = Message<'AdministratorAppointed', { accountId: number; appointedAt: string }>;
