import type { z } from 'zod';
import type { Signature } from '../../../git/port/objects.js';
import { commitIdentity } from '../../accounts/presenter.js';
import type { Actions } from '../../actions.js';
import type { Principal } from '../../caller.js';
import { ownAccount } from '../../find.js';
import type { CreateFileBody } from './file-schema.js';

type Asked = Pick<z.output<typeof CreateFileBody>, 'author' | 'committer' | 'dates'>;
type Request = Pick<Actions, 'db' | 'services' | 'now'> & { readonly caller: Principal };

/** Returns the caller's name and address for commits and tags. */
export async function signatureOf({ db, services, caller, now }: Request): Promise<Signature> {
  const account = await ownAccount(db, caller);
  return { ...commitIdentity(account, services.config.baseUrl), at: wholeSeconds(now()) };
}

/** Returns a commit's author and committer: the requested ones, or one for both if only one is, or else the caller. */
export async function signaturesOf(
  request: Request,
  { author, committer, dates }: Asked,
): Promise<{ readonly author: Signature; readonly committer: Signature }> {
  const caller = await signatureOf(request);
  const of = (asked: Asked['author'], at: string | undefined): Signature => ({
    name: asked?.name ?? caller.name,
    email: asked?.email ?? caller.email,
    at: at ?? caller.at,
  });
  const [writer, other] = [given(author), given(committer)];
  return { author: of(writer ?? other, dates?.author), committer: of(other ?? writer, dates?.committer) };
}

const given = (identity: Asked['author']) =>
  identity?.name === undefined && identity?.email === undefined ? undefined : identity;

const wholeSeconds = (time: string) => `${time.slice(0, 19)}Z`;
