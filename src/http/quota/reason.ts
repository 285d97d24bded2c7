import type { QuotaReason } from '../../domain/quota/quota-exceeded.js';

/**
 * Presents the reason why an account got no storage, with the address that explains the decision to administrators;
 * without it if the account was erased.
 */
export const presentReason = (reason: QuotaReason, username: string | null, baseUrl: string) => ({
  group: reason.group,
  rule: reason.rule,
  subject: reason.subject,
  limit: reason.limit,
  used: reason.used,
  incoming: reason.incoming,
  position: reason.position,
  explain: username === null ? null : explainAddress(reason, username, baseUrl),
});

function explainAddress({ subject, incoming, position }: QuotaReason, username: string, baseUrl: string) {
  const query = new URLSearchParams({
    subject,
    size: String(incoming ?? 0n),
    as_of: String(position),
  });
  return `${baseUrl}/api/v1/admin/users/${encodeURIComponent(username)}/quota/explain?${query.toString()}`;
}
