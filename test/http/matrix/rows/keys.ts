import { newKey } from '../../../support/public-keys.js';
import { addKey } from '../furnish.js';
import { only, signedIn, siteAdministrators } from '../policy.js';
import type { Row, Rows } from '../row.js';
import { hiddenUser } from './accounts.js';

/** About a key of the member. */
const key = (row: Row): Row => ({ ...row, names: ({ keys }) => ({ id: keys.member }) });

const fresh: Row['fresh'] = async ({ make }) => ({ id: await addKey(make, 'member') });
const body: Row['body'] = (title) => ({ title, key: newKey() });

export const keyRows: Rows = {
  adminCreatePublicKey: { policy: siteAdministrators, body },
  adminDeleteUserPublicKey: key({
    policy: siteAdministrators,
    fresh,
    elsewhere: { id: ({ keys }) => keys.owner },
  }),
  userCurrentListKeys: { policy: signedIn },
  userCurrentPostKey: { policy: signedIn, body },
  userCurrentGetKey: key({ policy: signedIn }),
  userCurrentDeleteKey: key({
    policy: only('member', 'administrator'),
    fresh,
    absent: { id: { anonymous: 401, stranger: 404, member: 404, administrator: 404 } },
  }),
  userListKeys: { policy: signedIn, others: [hiddenUser(401)] },
};
