import type { Queryable } from '../../database/queryable.js';
import { notFound } from '../../domain/errors.js';
import { accountAbsent } from '../accounts/absent.js';
import { principalOf } from '../authentication/authenticate.js';
import type { Context, Middleware } from '../context.js';
import { accountNamed } from '../find.js';
import { isOutOfReach } from '../public-only.js';
import { queryOf } from '../query.js';
import type { RecentWrites } from '../recent-writes.js';
import { readModelsLate, Refused } from '../refused.js';

/**
 * Lets a site administrator act as another user, whom the administrator may just have made, with the scopes of the
 * administrator's own credential.
 */
export function sudo(db: Queryable, writes: RecentWrites): Middleware {
  async function become(ctx: Context, name: string): Promise<void> {
    const { signedInAs } = ctx.state;
    if (!signedInAs?.isAdmin) throw refused('only site administrators act as somebody else');
    if ((await writes.before(signedInAs.accountId)) === false) ctx.state.late = true;
    const account = await accountNamed(db, name);
    if (!account) throw ctx.state.late ? readModelsLate() : accountAbsent();
    if (account.kind !== 'user') throw notFound('account.absent', 'no such user');
    if (isOutOfReach(account, signedInAs)) throw refused('the token reaches only what is public');
    ctx.state.caller = principalOf(account, signedInAs.scopes, signedInAs.byPassword);
  }
  return function sudo(ctx, next) {
    const name = [queryOf(ctx).sudo, ctx.get('Sudo')].find((text) => text);
    return name === undefined ? next() : become(ctx, name).then(next);
  };
}

const refused = (reason: string) => new Refused(403, reason, {}, true);
