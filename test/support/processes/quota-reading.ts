import { expect } from 'chai';
import { stringifyJson } from '../../../src/values/json.js';
import type { Client, RequestHeaders, TestAnswer } from '../client.js';
import { changeText, type QuotaModel } from './quota-model.js';
import type { QuotaClient, Recorded } from './quota-client.js';

export interface QuotaChange {
  readonly position: number;
  readonly event_id: string;
  readonly type: string;
  readonly request_id: string;
  readonly user: { readonly name: string } | null;
  readonly groups: readonly string[];
  readonly rules: readonly string[];
}

/** Beyond every position: the answer waits for what the log holds now. */
const END = '999999999999999999';
const PAGE = 50;

/** A read, again as long as the read models are behind: where a slow machine takes long to mend them, the answer says so. */
export async function readInTime(
  client: Client,
  path: string,
  headers: RequestHeaders = {},
): Promise<TestAnswer> {
  for (;;) {
    const answer = await client.get(path, headers);
    if (answer.status !== 503 && !answer.headers.has('preference-applied')) return answer;
  }
}

/** The whole history after a position, oldest first. */
export async function readHistory(client: Client, after: number): Promise<QuotaChange[]> {
  const changes: QuotaChange[] = [];
  for (let page = 1, asOf = END; ; page += 1) {
    const answer = await readInTime(client, `/admin/quota/history?limit=${PAGE}&page=${page}&as_of=${asOf}`);
    expect(answer.status, answer.text).to.equal(200);
    const rows = answer.json as QuotaChange[];
    changes.push(...rows.filter(({ position }) => position > after));
    if (rows.length < PAGE || (rows.at(-1)?.position ?? 0) <= after) return changes.reverse();
    asOf = /as_of=(\d+)/.exec(answer.headers.get('link') ?? '')?.[1] ?? asOf;
  }
}

/** The changes of each request, sorted. Refuses what stands twice, and a request whose changes stand apart. */
export function recordedIn(changes: readonly QuotaChange[]): Recorded {
  const recorded = new Map<string, string[]>();
  let before: QuotaChange | undefined;
  for (const change of changes) {
    const { position, request_id: requestId, type, groups, rules, user } = change;
    if (before) expect(position, 'each position once').to.be.greaterThan(before.position);
    const text = changeText(type, groups, rules, user?.name);
    const known = recorded.get(requestId);
    if (known) {
      expect(before?.request_id, `${requestId} is carried out in one append, once`).to.equal(requestId);
      expect(position).to.equal((before?.position ?? 0) + 1);
      known.push(text);
    } else {
      recorded.set(requestId, [text]);
    }
    before = change;
  }
  for (const texts of recorded.values()) texts.sort();
  return recorded;
}

/** The next read after a crash already shows what was acknowledged before it. */
export async function expectAcknowledged(client: Client, clients: readonly QuotaClient[]): Promise<void> {
  const { status, json, text } = await readInTime(client, '/admin/quota/groups');
  expect(status, text).to.equal(200);
  for (const { names, possible } of clients) {
    const groups = (json as { name: string }[]).filter(({ name }) => names.groups.includes(name));
    expect(possible.map((model) => stringifyJson(model.groupsListed()))).to.include(stringifyJson(groups));
  }
}

/** What the plain GETs of an administrator say is what these models say together. */
export async function expectToRead(client: Client, models: readonly QuotaModel[]): Promise<void> {
  const list = async (path: string) => {
    const { status, json, text } = await readInTime(client, path);
    expect(status, text).to.equal(200);
    return json as { name: string }[];
  };
  const sorted = (items: readonly { readonly name?: unknown }[]) =>
    items
      .toSorted((left, right) => (String(left.name) < String(right.name) ? -1 : 1))
      .map((item) => stringifyJson(item));

  const rules = models.flatMap((model) => model.rulesListed());
  expect((await list('/admin/quota/rules')).map((rule) => stringifyJson(rule))).to.deep.equal(sorted(rules));

  const groups = models.flatMap((model) => model.groupsListed());
  expect((await list('/admin/quota/groups')).map((group) => stringifyJson(group))).to.deep.equal(
    sorted(groups),
  );

  await Promise.all(
    models.flatMap((model) =>
      model.groupsListed().map(async ({ name }) => {
        const users = (await list(`/admin/quota/groups/${name}/users`)) as unknown as { login: string }[];
        expect(
          users.map(({ login }) => login),
          name,
        ).to.deep.equal(model.membersListed(name));
      }),
    ),
  );
}
