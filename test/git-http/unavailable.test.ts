import { expect } from 'chai';
import Koa from 'koa';
import { DatabaseUnavailable } from '../../src/database/unavailable.js';
import { gitHttp, type GitHttpOptions } from '../../src/git-http/serve.js';
import { RequestState } from '../../src/http/context.js';
import { RecentWrites } from '../../src/http/recent-writes.js';
import { silent } from '../projections/engine/silent.js';
import { serve } from '../support/git-server.js';

describe('git over HTTP: while the database is away', () => {
  it('says that it may work a moment later', async () => {
    const services = {
      db: { rows: () => Promise.reject(new DatabaseUnavailable('away')) },
      config: { requireSignIn: false, disableQueryTokens: false, baseUrl: '' },
    };
    const authenticator = { signIn: () => Promise.resolve(undefined) };
    const writes = new RecentWrites({ wait: () => Promise.resolve(true) });
    const app = new Koa<RequestState>();
    app.use((ctx, next) => {
      ctx.state = new RequestState('test', silent);
      return next();
    });
    app.use(gitHttp({ services, authenticator, writes } as unknown as GitHttpOptions));
    const callback = app.callback();
    const { url, close } = await serve((request, response) => void callback(request, response));
    try {
      const answer = await fetch(`${url}/ann/code.git/info/refs?service=git-upload-pack`);
      expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '1']);
      expect(await answer.text()).to.equal('not now, try again\n');
    } finally {
      await close();
    }
  });
});
