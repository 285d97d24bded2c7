import { expect } from 'chai';
import { stringifyJson } from '../../../src/values/json.js';
import type { Client, RequestHeaders, TestAnswer } from '../client.js';
import { Random } from '../random.js';
import { randomCommand, requestOf, type Names, type QuotaCommand } from './quota-commands.js';
import { QuotaModel, type Outcome } from './quota-model.js';

/** A request whose answer never came. */
interface Unknown {
  readonly command: QuotaCommand;
  readonly headers: RequestHeaders;
  readonly outcome: Outcome;
}

const OWNERS = ['ann', 'ben', 'cem', 'dag'];
const SHARED = ['eva', 'fay'];

/** Makes the users that they need, and a few clients that do not get in each other's way but share some users. */
export async function quotaClients(admin: Client, random: Random): Promise<QuotaClient[]> {
  for (const username of [...OWNERS, ...SHARED]) {
    const email = `${username}@example.org`;
    const { status, text } = await admin.post('/admin/users', { username, email, password: 'correct horse' });
    expect(status, text).to.equal(201);
  }
  return OWNERS.map((own) => {
    const several = (kind: string) => [1, 2, 3].map((number) => `${own}-${kind}-${number}`);
    const names = { own, rules: several('rule'), groups: several('group'), shared: SHARED };
    return new QuotaClient(names, admin, new Random(random.below(2 ** 31)));
  });
}

/** The changes that the history shows for each request id, as `changeText` says them. */
export type Recorded = ReadonlyMap<string, readonly string[]>;

/**
 * A client that changes its own part of the quotas, one command after the other, and knows what every answer must be.
 * Where no answer comes it stops, until `settle` has found out what became of the command.
 */
export class QuotaClient {
  model = new QuotaModel();
  /** Requests that had no answer, or one that says the server failed. */
  failures = 0;
  /** What the history must show, by request id. */
  readonly recorded = new Map<string, readonly string[]>();
  #unknown: Unknown | undefined;
  #requests = 0;

  constructor(
    readonly names: Names,
    private readonly client: Client,
    private readonly random: Random,
  ) {}

  /** Sends commands, and reads after some of them, until `signal` is aborted or an answer does not come. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#unknown) {
      const command = randomCommand(this.random, this.names);
      if ((await this.#change(command)) && this.random.chance(0.3)) await this.#read();
    }
  }

  /** What may stand now: everything that was acknowledged, without the command that has no answer or with it. */
  get possible(): readonly QuotaModel[] {
    return [this.model, ...(this.#unknown ? [this.#unknown.outcome.model] : [])];
  }

  /** After a crash: the command without an answer was carried out whole, or not at all. */
  async settle(recorded: Recorded): Promise<void> {
    if (!this.#unknown) return;
    const { command, headers, outcome } = this.#unknown;
    this.#unknown = undefined;
    const requestId = headers['x-request-id'] ?? '';
    const found = recorded.get(requestId) ?? [];
    if (found.length > 0) expect(found, `${requestId}, in part`).to.deep.equal(outcome.changes);
    if ('idempotency-key' in headers) {
      const { status, text } = await this.#send(command, headers);
      expect(status, `${requestId} again: ${text}`).to.equal(outcome.status);
      this.#accept(requestId, outcome);
    } else if (found.length > 0) {
      this.#accept(requestId, outcome);
    }
  }

  /** False when no answer came. */
  async #change(command: QuotaCommand): Promise<boolean> {
    const requestId = `${this.names.own}-${(this.#requests += 1)}`;
    const headers = {
      'x-request-id': requestId,
      ...(this.random.chance(0.5) && { 'idempotency-key': requestId }),
    };
    const outcome = this.model.after(command);
    const answer = await this.#answered(this.#send(command, headers));
    if (!answer) {
      this.#unknown = { command, headers, outcome };
      return false;
    }
    expect(answer.status, `${requestId} ${stringifyJson(command)}: ${answer.text}`).to.equal(outcome.status);
    this.#accept(requestId, outcome);
    return true;
  }

  #send(command: QuotaCommand, headers: RequestHeaders): Promise<TestAnswer> {
    const { method, path, body } = requestOf(command);
    return body === undefined
      ? this.client.send(method, path, undefined, headers)
      : this.client.send(method, path, stringifyJson(body), {
          ...headers,
          'content-type': 'application/json',
        });
  }

  async #answered(request: Promise<TestAnswer>): Promise<TestAnswer | undefined> {
    const answer = await request.catch(() => undefined);
    if (answer && answer.status < 500) return answer;
    this.failures += 1;
    return undefined;
  }

  #accept(requestId: string, { model, changes }: Outcome): void {
    this.model = model;
    if (changes.length > 0) this.recorded.set(requestId, changes);
  }

  /** What it has written shows in the next read. */
  async #read(): Promise<void> {
    const group = this.random.pick(this.names.groups);
    const expected = this.model.groupsListed().find(({ name }) => name === group);
    let answer: TestAnswer | undefined;
    do answer = await this.#answered(this.client.get(`/admin/quota/groups/${group}`));
    while (answer?.headers.has('preference-applied')); // late, and says so: the machine is slow to mend what died
    if (!answer) return;
    expect(answer.status, `GET ${group}`).to.equal(expected ? 200 : 404);
    if (expected) expect(stringifyJson(answer.json)).to.equal(stringifyJson(expected));
  }
}
