import { notFound } from '../../domain/errors.js';
import { anyone, siteAdministrator } from '../access.js';
import { below } from '../server/below.js';
import type { Context, Middleware } from '../context.js';
import { otherMethod } from '../other-method.js';
import { Refused } from '../refused.js';
import { Assets } from './assets.js';
import { dropSession, keepSession } from './cookie.js';
import { consoleHeaders } from './headers.js';
import { template } from './html.js';
import { consolePage, type ConsolePage, type Visit } from './page.js';
import { sessionOf, type BrowserSession, type SessionOptions } from './session.js';
import { signIn, signOut } from './sign-in.js';

const CONSOLE_PATH = '/-/quota';
/** The query of a page that has had the browser request it a second time. */
const AGAIN = 'again';

/** Mentions only the password, because a token is not accepted here. */
const WRONG = 'The user name or password is wrong.';

const ASSETS_PATH = `${CONSOLE_PATH}/assets/`;

/** Serves the console of site administrators at `/-/quota`: its pages and assets. All its data comes from the API. */
export function quotaConsole(services: SessionOptions): Middleware {
  const { config } = services;
  const assets = new Assets();
  const pages = pagesOf(services);
  const show = async (ctx: Context): Promise<void> => {
    const { path } = ctx;
    consoleHeaders(ctx);
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const asset = path.startsWith(ASSETS_PATH) ? path.slice(ASSETS_PATH.length) : '';
    if (method === 'GET' && assets.has(asset)) return assets.send(ctx, asset);
    const there = pages.filter((page) => CONSOLE_PATH + page.path === path);
    if (there.length === 0) throw notFound('page.absent', 'no such page');
    const page = there.find((each) => each.method === method);
    if (!page) {
      otherMethod(ctx, methodsOf(there));
      return;
    }
    ctx.state.operation = page.id;
    const session = await sessionOf(ctx, services);
    ctx.state.signedInAs = session?.principal;
    if (isLetIn(page, session)) await page.handle({ ctx, session });
    else goTo(ctx, config, '/sign-in');
  };
  return function quotaConsole(ctx, next) {
    const isOurs = ctx.path === CONSOLE_PATH || ctx.path.startsWith(`${CONSOLE_PATH}/`);
    return isOurs ? show(ctx) : next();
  };
}

const methodsOf = (pages: readonly ConsolePage[]): readonly string[] =>
  pages.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

function isLetIn({ access }: ConsolePage, session: BrowserSession | undefined): boolean {
  try {
    access.admit(session?.principal, { params: {}, parent: undefined });
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

function pagesOf(services: SessionOptions): ConsolePage[] {
  const { vault, config } = services;
  const consoleHtml = template('console.html');
  const signInHtml = template('sign-in.html');
  const base = baseOf(config);

  const showSignIn = (ctx: Context, status: number, problem = '') => {
    // Following a link on another site sends no `SameSite=Strict` cookie; a second request, made by this page, does.
    const isLinked =
      problem === '' && ctx.get('Sec-Fetch-Site') === 'cross-site' && ctx.querystring !== AGAIN;
    if (isLinked) ctx.set('Refresh', `0; url=${base}/sign-in?${AGAIN}`);
    sendHtml(ctx, status, signInHtml({ base, problem }));
  };

  return [
    consolePage({
      id: 'consoleShow',
      method: 'GET',
      path: '',
      access: siteAdministrator,
      handle({ ctx, session }) {
        const { secret, principal } = known(session);
        const proof = vault.sessions.proofOf(secret);
        sendHtml(ctx, 200, consoleHtml({ base, proof, user: principal.name }));
      },
    }),

    consolePage({
      id: 'consoleShowSignIn',
      method: 'GET',
      path: '/sign-in',
      access: anyone,
      handle({ ctx, session }) {
        if (session) goTo(ctx, config, '');
        else showSignIn(ctx, 200);
      },
    }),

    consolePage({
      id: 'consoleSignIn',
      method: 'POST',
      path: '/sign-in',
      access: anyone,
      async handle({ ctx }) {
        try {
          keepSession(ctx, config.baseUrl, await signIn(ctx, services));
          goTo(ctx, config, '');
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          const { 'Retry-After': wait } = error.headers;
          if (wait !== undefined) ctx.set('Retry-After', wait);
          showSignIn(ctx, error.status, error.status === 401 ? WRONG : sentence(error.message));
        }
      },
    }),

    consolePage({
      id: 'consoleSignOut',
      method: 'POST',
      path: '/sign-out',
      access: siteAdministrator,
      async handle({ ctx, session }: Visit) {
        const isOver = await signOut(ctx, known(session).secret, services);
        if (isOver) dropSession(ctx, config.baseUrl);
        goTo(ctx, config, isOver ? '/sign-in' : ''); // where it goes on, its own page can end it
      },
    }),
  ];
}

/** Returns the session, for pages that require one. Throws 401 without it. */
function known(session: BrowserSession | undefined): BrowserSession {
  if (!session) throw new Refused(401, 'sign-in is required');
  return session;
}

/** Returns the console's address, as browsers see it. */
const baseOf = (config: { readonly baseUrl: string }) => below(config) + CONSOLE_PATH;

function goTo(ctx: Context, config: { readonly baseUrl: string }, path: string): void {
  ctx.status = 303;
  ctx.set('Location', baseOf(config) + path);
}

function sendHtml(ctx: Context, status: number, html: string): void {
  ctx.status = status;
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.body = html;
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
