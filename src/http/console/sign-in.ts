import { readFields } from '../body/fields.js';
import { z } from 'zod';
import type { Context } from '../context.js';
import { checkState } from '../middleware/authenticate.js';
import { Refused } from '../refused.js';
import { checked } from '../schema.js';
import { originOf } from './origin.js';
import type { SessionOptions } from './session.js';

const MAX_FORM_BYTES = 16_384;

const Form = z.object({ username: z.string().default(''), password: z.string().default('') });

/**
 * Begins a session for the site administrator whose name and password the form has, and returns its secret. Throws
 * `Refused`: 401 in the same words for any wrong input, 403 for an account that may not sign in here, 429 after too many
 * failures.
 */
export async function signIn(
  ctx: Context,
  { authenticator, vault, config }: SessionOptions,
): Promise<string> {
  // Also prevents another site from signing a user in to a different account.
  refuseElsewhere(ctx, config.baseUrl);
  const { username, password } = await formOf(ctx, Form);
  const credential = { kind: 'basic', name: username, password, token: '' } as const;
  const signedIn = await authenticator.signIn([credential], ctx.req);
  if (!signedIn) throw wrong();
  checkState(signedIn.state);
  const { accountId, isAdmin } = signedIn.principal;
  if (!isAdmin) throw new Refused(403, 'only site administrators may sign in here');
  const secret = await vault.sessions.begin(accountId, password);
  if (secret === undefined) throw wrong(); // the password was changed meanwhile
  return secret;
}

const SignOutForm = z.object({ proof: z.string().default('') });

/**
 * Ends a session if its own page sent the request, and tells whether it did: the page of an earlier session, in another
 * window, does not speak for this one. Throws 403 unless a page of this server sent the request.
 */
export async function signOut(
  ctx: Context,
  secret: string,
  { vault, config }: Pick<SessionOptions, 'vault' | 'config'>,
): Promise<boolean> {
  refuseElsewhere(ctx, config.baseUrl);
  const { proof } = await formOf(ctx, SignOutForm);
  if (proof === '') throw elsewhere();
  if (!vault.sessions.proves(secret, proof)) return false;
  await vault.sessions.end(secret);
  return true;
}

function refuseElsewhere(ctx: Context, baseUrl: string): void {
  if (originOf(ctx, baseUrl) !== 'here') throw elsewhere();
}

const formOf = async <T>(ctx: Context, form: z.ZodType<T>): Promise<T> =>
  checked(form, await readFields(ctx, form, MAX_FORM_BYTES));

const elsewhere = () => new Refused(403, 'the form did not come from this server');
const wrong = () => new Refused(401, 'the user name or password is wrong');
