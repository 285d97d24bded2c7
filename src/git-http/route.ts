/** The git service that a client asks for: reading (`git-upload-pack`) or writing (`git-receive-pack`). */
export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** A parsed request of a git client. Names are decoded, `repo` is without `.git`; the repository may not exist. */
export interface GitRequest {
  readonly owner: string;
  readonly repo: string;
  readonly service: GitService;
  /** Whether the client asks for the refs, or exchanges packs. */
  readonly step: 'advertise' | 'exchange';
  /** The rest of the path after the repository, with the query. */
  readonly rest: string;
}

const PATH = /^\/([^/]+)\/([^/]+)(\/info\/refs|\/git-[a-z-]+)$/;
const services: ReadonlySet<string> = new Set<GitService>(['git-upload-pack', 'git-receive-pack']);

/** The methods by which each step is asked for. */
export const METHODS: Readonly<Record<GitRequest['step'], readonly string[]>> = {
  advertise: ['GET', 'HEAD'],
  exchange: ['POST'],
};

/**
 * Parses a request of git's smart protocol, whatever its method; undefined for any other request. The dumb protocol is not
 * supported, because it would expose the repository's files.
 */
export function gitRequestOf(path: string, search: string): GitRequest | undefined {
  const [, owner, repo, action] = PATH.exec(path) ?? [];
  if (owner === undefined || repo === undefined || action === undefined) return undefined;
  const step = action === '/info/refs' ? 'advertise' : 'exchange';
  const service = step === 'advertise' ? new URLSearchParams(search).get('service') : action.slice(1);
  if (service === null || !isService(service)) return undefined;
  const names = {
    owner: decodeURIComponent(owner),
    repo: decodeURIComponent(repo).replace(/\.git$/i, ''),
  };
  if (Object.values(names).some(leadsElsewhere)) return undefined;
  return { ...names, service, step, rest: action + search };
}

/** Tells whether a path belongs to Git LFS, below a repository. */
export const isOfLargeFiles = (path: string): boolean => /^\/[^/]+\/[^/]+\/info\/lfs\//.test(path);

/** Tells whether a name would act as a path. No account or repository has such a name, so refusing it reveals nothing. */
const leadsElsewhere = (name: string): boolean => /[/\\]|^\.{0,2}$/.test(name);

const isService = (text: string): text is GitService => services.has(text);
