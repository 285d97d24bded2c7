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
const dismiss = (accountId: number): AdministratorsCommand => ({
  type: 'DismissAdministrator',
  data: { accountId, at },
});
const suspend = (accountId: number, suspended = true): AdministratorsCommand => ({
  type: 'SuspendAdministrator',
  data: { accountId, suspended, at },
});
const appointed = (accountId: number): AdministratorsEvent => ({
  type: 'AdministratorAppointed',
  data: { accountId, appointedAt: at },
});
const dismissed = (accountId: number): AdministratorsEvent => ({
  type: 'AdministratorDismissed',
  data: { accountId, dismissedAt: at },
});
const suspended = (accountId: number): AdministratorsEvent => ({
  type: 'AdministratorSuspended',
  data: { accountId, suspendedAt: at },
});
const reinstated = (accountId: number): AdministratorsEvent => ({
  type: 'AdministratorReinstated',
  data: { accountId, reinstatedAt: at },
});

describe('Administrators', () => {
  const { given } = specification(Administrators);

  it('are appointed', () => {
    given(appointed(1)).when(appoint(2)).then(appointed(2));
  });
  it('are not appointed twice', () => {
    given(appointed(1)).when(appoint(1)).then();
  });
  it('are dismissed while another one stays', () => {
    given(appointed(1), appointed(2)).when(dismiss(1)).then(dismissed(1));
    given(appointed(1), appointed(2), dismissed(1)).when(dismiss(2)).thenRefused('administrators.last');
  });
  it('are dismissed without effect where they are none', () => {
    given(appointed(1)).when(dismiss(2)).then();
  });
  it('are suspended while another one can act, and once', () => {
    given(appointed(1)).when(suspend(1)).thenRefused('administrators.last');
    given(appointed(1), appointed(2)).when(suspend(1)).then(suspended(1));
    given(appointed(1), appointed(2), suspended(1)).when(suspend(1)).then();
    given(appointed(1), appointed(2), suspended(1)).when(suspend(2)).thenRefused('administrators.last');
  });
  it('who are suspended do not count as staying', () => {
    given(appointed(1), appointed(2), suspended(2)).when(dismiss(1)).thenRefused('administrators.last');
  });
  it('who are suspended can be dismissed', () => {
    given(appointed(1), appointed(2), suspended(2)).when(dismiss(2)).then(dismissed(2));
  });
  it('are reinstated, and count again', () => {
    given(appointed(1), appointed(2), suspended(2)).when(suspend(2, false)).then(reinstated(2));
    given(appointed(1), appointed(2), suspended(2), reinstated(2)).when(dismiss(1)).then(dismissed(1));
    given(appointed(1)).when(suspend(1, false)).then();
  });
  it('are nobody who is merely suspended', () => {
    given(appointed(1)).when(suspend(2)).then();
  });
});
