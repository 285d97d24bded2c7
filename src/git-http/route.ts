/** What a client wants of a repository: to read it or to write to it. */
export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** What a git client asks for: names decoded, `repo` without `.git`; there may be no such repository. */
export interface GitRequest {
  readonly owner: string;
  readonly repo: string;
  readonly service: GitService;
  /** The refs are asked for, or packs are exchanged. */
  readonly step: 'advertise' | 'exchange';
  /** What follows the repository in the path, query included. */
  readonly rest: string;
}

const PATH = /^\/([^/]+)\/([^/]+)(\/info\/refs|\/git-[a-z-]+)$/;
const services: ReadonlySet<string> = new Set<GitService>(['git-upload-pack', 'git-receive-pack']);

/**
 * The request of a git client that speaks the smart protocol; undefined for everything else. The dumb protocol is left
 * out: it would show files.
 */
export function gitRequestOf(method: string, path: string, search: string): GitRequest | undefined {
  const [, owner, repo, action] = PATH.exec(path) ?? [];
  if (owner === undefined || repo === undefined || action === undefined) return undefined;
  const isAdvertised = action === '/info/refs';
  const service = isAdvertised ? new URLSearchParams(search).get('service') : action.slice(1);
  if (service === null || !isService(service) || method !== (isAdvertised ? 'GET' : 'POST')) return undefined;
  const names = {
    owner: decodeURIComponent(owner),
    repo: decodeURIComponent(repo).replace(/\.git$/i, ''),
  };
  if (Object.values(names).some(leadsElsewhere)) return undefined;
  const step = isAdvertised ? 'advertise' : 'exchange';
  return { ...names, service, step, rest: action + search };
}

/** Where a path would be made of it; no account and no repository has such a name, which is no secret. */
const leadsElsewhere = (name: string): boolean => /[/\\]|^\.{0,2}$/.test(name);

const isService = (text: string): text is GitService => services.has(text);
