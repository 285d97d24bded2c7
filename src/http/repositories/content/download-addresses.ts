import { BRANCHES, TAGS } from '../../../domain/repositories/refs.js';
import type { Middleware } from '../../context.js';
import { PREFIX } from '../../router.js';

const RAW = /^\/([^/]+)\/([^/]+)\/raw\/(branch|tag|commit)\/([^/]+)\/(.+)$/;
const ARCHIVE = /^\/([^/]+)\/([^/]+)\/archive\/(.+)$/;

/**
 * Serves the addresses of `download_url`, `zipball_url` and `tarball_url`, which are outside the API, by the API's route
 * for the same bytes, with the same access rules.
 */
export const downloadAddresses: Middleware = (ctx, next) => {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') ctx.url = withinApi(ctx.path, ctx.search) ?? ctx.url;
  return next();
};

function withinApi(path: string, search: string): string | undefined {
  const [, owner = '', repo = '', kind, first = '', rest = ''] = RAW.exec(path) ?? [];
  const below = `${PREFIX}/repos/${owner}/${repo}`;
  if (kind === 'commit') return `${below}/raw/${rest}?ref=${first}&rev=${first}${search.replace('?', '&')}`;
  if (kind) return `${below}/raw/${kind === 'branch' ? BRANCHES : TAGS}${first}/${rest}${search}`;
  const [, of, name, archive] = ARCHIVE.exec(path) ?? [];
  return archive && `${PREFIX}/repos/${of ?? ''}/${name ?? ''}/archive/${archive}${search}`;
}
