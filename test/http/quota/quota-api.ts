import { startApi, type TestApi, type TestUser } from '../../support/api.js';

/** The api that the tests of one file share, with `alice`, who is no administrator. */
export function quotaApi(): { readonly api: () => TestApi; readonly alice: () => TestUser } {
  let api: TestApi;
  let alice: TestUser;
  before(async () => {
    api = await startApi();
    alice = await api.createUser('alice');
  });
  after(() => api.stop());
  return { api: () => api, alice: () => alice };
}

/** For bodies that are JSON text already. */
export const JSON_TYPE = { 'content-type': 'application/json' };

let names = 0;

/** A name that no other rule or group of the run has. */
export const fresh = (kind: string): string => `${kind} ${(names += 1)}`;
