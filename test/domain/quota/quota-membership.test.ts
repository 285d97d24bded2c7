import { expect } from 'chai';
import fc from 'fast-check';
import {
  QuotaMembership,
  type GroupReference,
  type QuotaMembershipCommand,
  type QuotaMembershipEvent,
} from '../../../src/domain/quota/quota-membership.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const group = (id: number, name = `group ${id}`): GroupReference => ({ id, name });
const add = (id: number): QuotaMembershipCommand => ({
  type: 'AddToQuotaGroup',
  data: { group: group(id), at },
});
const remove = (id: number): QuotaMembershipCommand => ({
  type: 'RemoveFromQuotaGroup',
  data: { group: group(id), at },
});
const set = (...ids: number[]): QuotaMembershipCommand => ({
  type: 'SetQuotaGroups',
  data: { groups: ids.map((id) => group(id)), at },
});
const added = (id: number): QuotaMembershipEvent => ({
  type: 'AddedToQuotaGroup',
  data: { groupId: id, groupName: `group ${id}`, addedAt: at },
});
const removed = (id: number): QuotaMembershipEvent => ({
  type: 'RemovedFromQuotaGroup',
  data: { groupId: id, groupName: `group ${id}`, removedAt: at },
});

describe('QuotaMembership', () => {
  const { given } = specification(QuotaMembership);

  it('adds an account to a group', () => {
    given(added(8)).when(add(7)).then(added(7));
  });
  it('refuses a group that does not exist any more', () => {
    const existingIds = [8];
    const data = { existingIds, at };
    given()
      .when({ type: 'AddToQuotaGroup', data: { group: group(7), ...data } })
      .thenRefused('quota_group.absent');
    given()
      .when({ type: 'SetQuotaGroups', data: { groups: [group(8), group(7)], ...data } })
      .thenRefused('quota_group.absent');
  });
  it('refuses a group the account is already in', () => {
    given(added(7)).when(add(7)).thenRefused('quota_membership.exists');
  });
  it('removes an account from a group', () => {
    given(added(7)).when(remove(7)).then(removed(7));
  });
  it('refuses to remove an account from a group it is not in', () => {
    given().when(remove(7)).thenRefused('quota_membership.absent');
    given(added(7), removed(7)).when(remove(7)).thenRefused('quota_membership.absent');
  });
  it('replaces the whole membership, recording only what differs', () => {
    given(added(7), added(8)).when(set(8, 9)).then(added(9), removed(7));
  });
  it('removes every membership for an empty list', () => {
    given(added(7), added(8)).when(set()).then(removed(7), removed(8));
  });
  it('does not end memberships again that ended with their group', () => {
    const data = { groups: [group(9)], existingIds: [8, 9], at };
    given(added(7), added(8)).when({ type: 'SetQuotaGroups', data }).then(added(9), removed(8));
  });
  it('leaves 250 groups at a time, of those that exist', () => {
    const ids = Array.from({ length: 252 }, (_, index) => index + 1);
    const leave = { type: 'LeaveQuotaGroups', data: { existingIds: ids.slice(1), at } } as const;
    const applied = (state: typeof QuotaMembership.initialState, events: readonly QuotaMembershipEvent[]) =>
      events.reduce((before, event) => QuotaMembership.evolve(before, event), state);
    const joined = applied(QuotaMembership.initialState, ids.map(added));
    const first = QuotaMembership.decide(leave, joined);
    expect(first).to.have.length(250);
    const [last] = QuotaMembership.decide(leave, applied(joined, first));
    const left = new Set([...first, last].map((event) => event?.data.groupId));
    expect(left).to.deep.equal(new Set(ids.slice(1)));
  });
  it('takes a group that is listed twice as listed once', () => {
    given().when(set(7, 7)).then(added(7));
  });
  it('records nothing when the membership is what it should be', () => {
    given(added(7), added(8)).when(set(8, 7)).then();
  });

  it('is what was set last, whatever it was before, and setting it again changes nothing', () => {
    const ids = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 9 });
    fc.assert(
      fc.property(ids, ids, (before, wanted) => {
        const apply = (state: typeof QuotaMembership.initialState, command: QuotaMembershipCommand) =>
          QuotaMembership.decide(command, state).reduce(
            (state, event) => QuotaMembership.evolve(state, event),
            state,
          );
        const after = apply(apply(QuotaMembership.initialState, set(...before)), set(...wanted));
        expect(new Set(after.groups.keys())).to.deep.equal(new Set(wanted));
        expect(QuotaMembership.decide(set(...wanted), after)).to.deep.equal([]);
      }),
    );
  });
});
