import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import type { HookTarget } from '../../src/webhooks/planned.js';
import { masked, requestFor } from '../../src/webhooks/request.js';

const told = {
  id: '0b5a1c62-70b7-5a53-8a3c-7d2c6c0f3a11',
  event: 'issues',
  eventType: 'issue_label',
  payload: '',
};
const target: HookTarget = { url: 'https://example.org/hook', contentType: 'json' };

describe('the request of a delivery', () => {
  it('is signed as RFC 4231 and RFC 2202 have it', () => {
    const payload = 'what do ya want for nothing?';
    const { headers } = requestFor({ ...told, payload }, { ...target, secret: 'Jefe' });
    const sha256 = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    for (const name of ['Forgejo', 'Gitea', 'Gogs']) expect(headers[`X-${name}-Signature`]).equals(sha256);
    expect(headers['X-Hub-Signature-256']).equals(`sha256=${sha256}`);
    expect(headers['X-Hub-Signature']).equals('sha1=effcdf6ae5eb2fa2d27416d5f184df9c259a7c79');
  });

  it('is signed as GitHub documents it', () => {
    const secret = "It's a Secret to Everybody";
    const { headers } = requestFor({ ...told, payload: 'Hello, World!' }, { ...target, secret });
    expect(headers['X-Hub-Signature-256']).equals(
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    );
  });

  it('has empty signatures without a secret', () => {
    const { headers } = requestFor({ ...told, payload: '{}' }, target);
    expect(headers).include({
      'X-Forgejo-Signature': '',
      'X-Gitea-Signature': '',
      'X-Gogs-Signature': '',
      'X-Hub-Signature-256': 'sha256=',
      'X-Hub-Signature': 'sha1=',
    });
  });

  it('tells delivery and event in the headers that receivers know', () => {
    const request = requestFor({ ...told, payload: '{}' }, target);
    const { headers, body } = request;
    for (const name of ['Forgejo', 'Gitea', 'Gogs', 'GitHub']) {
      expect(headers[`X-${name}-Delivery`]).equals(told.id);
      expect(headers[`X-${name}-Event`]).equals('issues');
      expect(headers[`X-${name}-Event-Type`]).equals('issue_label');
    }
    expect(headers['Content-Type']).equals('application/json');
    expect(body).equals('{}');
    expect(headers).not.property('Authorization');
    expect(masked(request)).deep.equals({ url: target.url, headers });
  });

  it('carries the JSON in a form, and signs the JSON', () => {
    const payload = '{\n  "title": "a & b = ü +"\n}';
    const { headers, body } = requestFor(
      { ...told, payload },
      { ...target, contentType: 'form', secret: 'key' },
    );
    expect(headers['Content-Type']).equals('application/x-www-form-urlencoded');
    expect([...new URLSearchParams(body)]).deep.equals([['payload', payload]]);
    const signature = createHmac('sha256', 'key').update(payload).digest('hex');
    expect(headers['X-Forgejo-Signature']).equals(signature);
  });

  it('brings the authorization header verbatim, and is kept without it', () => {
    const given = requestFor({ ...told, payload: '{}' }, { ...target, authorizationHeader: 'Bearer abc' });
    expect(given.headers.Authorization).equals('Bearer abc');
    expect(JSON.stringify(masked(given))).not.contains('abc');
    expect(masked(given).headers).deep.equals({ ...given.headers, Authorization: '******' });
  });
});
