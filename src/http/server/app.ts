import cors from '@koa/cors';
import Koa from 'koa';
import { Authenticator } from '../authentication/authenticate.js';
import { LoginGate, type LoginLimits } from '../authentication/login-limits.js';
import { RememberedCredentials } from '../authentication/remembered.js';
import { quotaConsole } from '../console/console.js';
import type { Middleware, RequestState } from '../context.js';
import type { Metrics } from './metrics.js';
import { authenticate } from '../middleware/authenticate.js';
import { errors } from '../middleware/errors.js';
import { normalisePath } from '../middleware/normalise-path.js';
import { requestContext, unsent } from '../middleware/request-context.js';
import { requireSignIn } from '../middleware/sign-in-required.js';
import { standardHeaders } from '../middleware/standard-headers.js';
import { awaitSentPosition } from '../middleware/sent-position.js';
import { sudo } from '../middleware/sudo.js';
import type { Pace } from '../../git-http/body.js';
import { gitHttp } from '../../git-http/serve.js';
import { apiDescription } from '../openapi/pages.js';
import { swaggerUserInterface } from '../openapi/swagger-ui.js';
import { EXPOSED_HEADERS } from '../answers/paging.js';
import { fromPrimary, type Reads } from '../reads.js';
import { RecentWrites } from '../recent-writes.js';
import { downloadAddresses } from '../repositories/content/download-addresses.js';
import type { Route } from '../route.js';
import { routing } from '../router.js';
import { routeRunner } from '../run-route.js';
import type { Services } from '../services.js';
import { systemPages } from '../system/pages.js';
import type { Readiness } from '../system/readiness.js';

/** What the app is built from. */
export interface AppOptions {
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly loginLimits?: LoginLimits;
  /** The least pace at which bodies of git clients must arrive. */
  readonly gitPace?: Pace;
  /** Where GET routes read from; the primary by default. */
  readonly reads?: Reads;
}

/** Builds the koa application: the middleware in the order in which it runs, then the routes. */
export function createApp({
  services,
  routes,
  metrics,
  readiness,
  loginLimits,
  gitPace,
  reads = fromPrimary,
}: AppOptions): Koa<RequestState> {
  const { config, db, logger, readYourWrites, vault, accountFacts } = services;
  const remembered = new RememberedCredentials();
  vault.onChange((accountId) => {
    remembered.accountChanged(accountId);
  });
  const authenticator = new Authenticator(services, remembered, accountFacts, new LoginGate(loginLimits));
  const writes = new RecentWrites(readYourWrites);

  const app = new Koa<RequestState>();
  app.on('error', unsent(logger));
  app.use(systemPages(metrics, readiness));
  app.use(requestContext(logger, metrics));
  app.use(standardHeaders);
  app.use(errors);
  if (config.corsOrigins.length > 0) app.use(crossOrigin(config.corsOrigins));
  app.use(normalisePath);
  app.use(apiDescription(routes, config));
  app.use(swaggerUserInterface(config));
  if (config.quota.enabled) app.use(quotaConsole({ authenticator, vault, config }));
  app.use(gitHttp({ services, authenticator, writes, ...(gitPace && { pace: gitPace }) }));
  app.use(downloadAddresses);
  app.use(awaitSentPosition(writes));
  app.use(authenticate({ authenticator, vault, config }));
  app.use(sudo(db, writes));
  if (config.requireSignIn) app.use(requireSignIn);
  app.use(routing(routes, routeRunner({ services, writes, reads })));
  return app;
}

const crossOrigin = (origins: readonly string[]): Middleware =>
  cors({
    origin: (ctx) => {
      const origin = ctx.get('Origin');
      if (origins.includes('*')) return '*';
      return origins.includes(origin) ? origin : '';
    },
    allowMethods: 'GET,HEAD,PUT,POST,DELETE,PATCH',
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: 600,
  });
