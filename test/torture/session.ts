import { stringifyJson } from '../../src/values/json.js';
import type { Random } from '../support/random.js';
import type { Names } from '../support/processes/quota-commands.js';
import type { Answer, Caller, How } from './caller.js';
import type { GitHands } from './git.js';
import { RepositoryModel } from './model/repository.js';
import { World } from './model/world.js';
import type { Violations } from './violations.js';

/** What a write came to: `refused` changed nothing; of undefined nobody knows whether it happened. */
export type Result = Answer | 'refused' | undefined;

/** A repository, with its full name. */
export interface Place {
  readonly name: string;
  readonly model: RepositoryModel;
}

export interface SessionOptions {
  /** The user that the client is, and the beginning of the name of everything that it makes. */
  readonly name: string;
  /** Everybody who can be in a team. */
  readonly people: readonly string[];
  /** Whom the client takes into quota groups and nobody else does, and whom others do as well. */
  readonly quotaNames: Names;
  /** Whether a quota limits what it stores. */
  readonly isLimited: boolean;
  /** The full name of the repository that all clients share. */
  readonly shared: string;
  readonly caller: Caller;
  readonly admin: Caller;
  readonly git: GitHands;
  /** The address of a repository for git, with credentials. */
  readonly gitUrl: (fullName: string) => string;
  readonly hookUrl: string;
  readonly violations: Violations;
}

/** One client at work: what it believes, and the hands it has. */
export class Session {
  readonly world = new World();
  readonly shared: Place;
  how: How = { keyed: true, patienceMs: 30_000 };
  #count = 0;

  constructor(readonly options: SessionOptions) {
    this.shared = { name: options.shared, model: new RepositoryModel(`${options.name}-`, true) };
  }

  get name(): string {
    return this.options.name;
  }

  /** A name that the client has never used. */
  fresh(kind: string): string {
    return `${this.name}-${kind}${(this.#count += 1)}`;
  }

  /** One of a few names, so that what is gone comes again. */
  some(kind: string, random: Random, count: number): string {
    return `${this.name}-${kind}${random.below(count)}`;
  }

  /** As the client's user; any status that is not among these is a violation. Below 400 is done. */
  write(method: string, path: string, body: unknown, ...statuses: readonly number[]): Promise<Result> {
    return this.#write(this.options.caller, method, path, body, statuses);
  }

  writeAsAdmin(method: string, path: string, body: unknown, ...statuses: readonly number[]): Promise<Result> {
    return this.#write(this.options.admin, method, path, body, statuses);
  }

  /** Its own repositories of which nothing is in doubt but what their models say. */
  repositories(): Place[] {
    const { repositories, contents } = this.world;
    return repositories.names.flatMap((name) => {
      const model = contents.get(name);
      return model ? [{ name, model }] : [];
    });
  }

  /** One of its own, or the shared one. */
  somewhere(random: Random, isFit: (place: Place) => boolean = () => true): Place {
    const own = this.repositories().filter(isFit);
    return own.length === 0 || random.chance(0.3) ? this.shared : random.pick(own);
  }

  violation(text: string): void {
    this.options.violations.add(`${this.name}: ${text}`);
  }

  async #write(
    caller: Caller,
    method: string,
    path: string,
    body: unknown,
    statuses: readonly number[],
  ): Promise<Result> {
    const answer = await caller.write(method, path, body, this.how);
    if (!answer) return undefined;
    if (!statuses.includes(answer.status)) {
      const sent = body === undefined ? '' : ` ${stringifyJson(body).slice(0, 200)}`;
      this.violation(
        `${method} ${path}${sent} answered ${answer.status}, not ${statuses.join(' or ')}: ${answer.text.slice(0, 300)}`,
      );
    }
    return answer.status < 400 ? answer : 'refused';
  }
}
