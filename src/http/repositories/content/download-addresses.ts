import type { Middleware } from '../../context.js';
import { PREFIX } from '../../router.js';

const RAW = /^\/([^/]+)\/([^/]+)\/raw\/(branch|tag|commit)\/([^/]+)\/(.+)$/;
const ARCHIVE = /^\/([^/]+)\/([^/]+)\/archive\/(.+)$/;

/**
 * Serves what `download_url`, `zipball_url` and `tarball_url` name, which lies beside the API: the route of the API that
 * gives the same bytes answers, to the same callers.
 */
export const downloadAddresses: Middleware = (ctx, next) => {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') ctx.url = withinApi(ctx.path, ctx.search) ?? ctx.url;
  return next();
};

function withinApi(path: string, search: string): string | undefined {
  const [, owner = '', repo = '', kind, first = '', rest = ''] = RAW.exec(path) ?? [];
  const below = `${PREFIX}/repos/${owner}/${repo}`;
  if (kind === 'commit') return `${below}/raw/${rest}?ref=${first}${search.replace('?', '&')}`;
  if (kind !== undefined) return `${below}/raw/${first}/${rest}${search}`;
  const [, of, name, archive] = ARCHIVE.exec(path) ?? [];
  return archive && `${PREFIX}/repos/${of ?? ''}/${name ?? ''}/archive/${archive}${search}`;
}
