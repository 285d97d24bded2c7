import type { Session } from '../session.js';

interface Standing {
  readonly used: { readonly size: { readonly repos: { readonly public: number; readonly private: number } } };
}

/** Nobody who is limited stores more than may be. */
export async function compareStorage(sessions: readonly Session[], limit: number): Promise<void> {
  for (const session of sessions.filter(({ options }) => options.isLimited)) {
    const { json } = await session.options.admin.read(`/admin/users/${session.name}/quota`);
    const { repos } = (json as Standing).used.size;
    const used = repos.public + repos.private;
    if (used > limit) session.violation(`stores ${used} bytes, may store ${limit}`);
  }
}
