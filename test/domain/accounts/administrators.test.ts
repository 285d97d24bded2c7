import {
  Administrators,
  type AdministratorsCommand,
  type AdministratorsEvent,
} from '../../../src/domain/accounts/administrators.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const appoint = (accountId: number): AdministratorsCommand => ({
  type: 'AppointAdministrator',
  data: { accountId, at },
});
const appointed = (accountId: number): AdministratorsEvent => ({
  type: 'AdministratorAppointed',
  data: { accountId, appointedAt: at },
});

describe('Administrators', () => {
  const { given } = specification(Administrators);

  it('are appointed', () => {
    given(appointed(1)).when(appoint(2)).then(appointed(2));
  });
  it('are not appointed twice', () => {
    given(appointed(1)).when(appoint(1)).then();
  });
});
