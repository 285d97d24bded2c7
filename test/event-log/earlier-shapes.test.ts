import { expect } from 'chai';
import { upcasters } from '../../src/event-log/earlier-shapes.js';
import { eventTypes } from '../../src/event-log/event-types.js';
import { upcasting } from '../../src/event-log/upcasters.js';
import type { JsonObject } from '../../src/values/json.js';

describe('events of earlier shapes', () => {
  const lift = upcasting(eventTypes, upcasters);

  it('of hooks name the ids that the vault gave to their secrets', () => {
    const place = { hookId: 7, scope: 'system', ownerId: 0 };
    const editedAt = '2026-01-02T03:04:05.000Z';
    const data = { ...place, url: 'https://example.org/', hasSecret: true, hasAuthorization: false };
    expect(lift({ type: 'HookCreated', version: 1, data })).to.deep.equal({
      type: 'HookCreated',
      version: 2,
      data: {
        ...place,
        url: 'https://example.org/',
        secretId: 'hook 7 secret',
        authorizationId: null,
      },
    });
    const edited = (changes: JsonObject, before: JsonObject) =>
      lift({
        type: 'HookEdited',
        version: 1,
        data: { ...place, changes, before, secretsChanged: true, editedAt },
      });
    expect(
      edited({ isActive: true, hasAuthorization: true }, { isActive: false, hasAuthorization: false }),
    ).to.deep.equal({
      type: 'HookEdited',
      version: 2,
      data: {
        ...place,
        changes: { isActive: true, authorizationId: 'hook 7 authorization' },
        before: { isActive: false, authorizationId: null },
        editedAt,
      },
    });
    expect(edited({}, {}).data, 'replaced by another').to.deep.equal({
      ...place,
      changes: {},
      before: {},
      editedAt,
    });
  });
});
