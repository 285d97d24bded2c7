import { basicAuthorization } from '../src/outgoing/basic-authorization.js';
import { ADMIN_PASSWORD } from './harness/config.js';
import { API, startProduct, type Product } from './harness/product.js';
import type { Finding, Question } from './harness/question.js';
import { figure } from './harness/report.js';
import { median } from './harness/rounds.js';

const AT_MOST = 1.2;

/** Paths that only their owner and administrators may know of, and for each a path of the same kind where nothing is. */
const SECRETS = [
  { what: 'an organization', hidden: '/orgs/closed', missing: '/orgs/nobody' },
  { what: 'its members', hidden: '/orgs/closed/members', missing: '/orgs/nobody/members' },
  { what: 'a user', hidden: '/users/shy', missing: '/users/nobody' },
  { what: 'a repository', hidden: '/repos/open/secret', missing: '/repos/open/nothing' },
  { what: 'its branches', hidden: '/repos/open/secret/branches', missing: '/repos/open/nothing/branches' },
  { what: 'an issue', hidden: '/repos/open/secret/issues/1', missing: '/repos/open/nothing/issues/1' },
] as const;

/** Measures whether the time of a 404 reveals that something exists. */
export const hidden: Question = {
  name: 'hidden',
  about: 'the time of a 404 for what is hidden from the caller, against what is not there',
  async answer(bench) {
    const product = await startProduct(bench, await bench.database());
    const headers = await hideThem(product);
    const findings: Finding[] = [];
    for (const { what, hidden, missing } of SECRETS) {
      const times = { hidden: [] as number[], missing: [] as number[] };
      // Alternating, so that other load of the machine affects both.
      for (let turn = 0; turn < (bench.quick ? 1_000 : 5_000); turn++) {
        times.hidden.push(await timeOf404(product.address + API + hidden, headers));
        times.missing.push(await timeOf404(product.address + API + missing, headers));
      }
      const [ofHidden, ofMissing] = [median(times.hidden), median(times.missing)];
      findings.push({
        what,
        value: Math.max(ofHidden / ofMissing, ofMissing / ofHidden),
        unit: '×',
        atMost: AT_MOST,
        detail: `${figure(ofHidden)} ms where it is hidden, ${figure(ofMissing)} ms where nothing is`,
      });
    }
    return findings;
  },
};

/** Creates the hidden things, and returns the headers of a user who may not see them. */
async function hideThem(product: Product): Promise<Readonly<Record<string, string>>> {
  const password = ADMIN_PASSWORD;
  for (const username of ['stranger', 'shy', 'open'])
    await product.send('POST', `${API}/admin/users`, {
      username,
      email: `${username}@example.org`,
      password,
      must_change_password: false,
      visibility: username === 'shy' ? 'private' : 'public',
    });
  await product.send('POST', `${API}/orgs`, { username: 'closed', visibility: 'private' });
  await product.send('POST', `${API}/admin/users/open/repos`, {
    name: 'secret',
    private: true,
    auto_init: true,
  });
  await product.send('POST', `${API}/repos/open/secret/issues`, { title: 'a secret' });
  return { authorization: basicAuthorization({ username: 'stranger', password }) };
}

async function timeOf404(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  if (response.status !== 404) throw new Error(`${url} was answered with ${response.status}`);
  return performance.now() - startedAt;
}
