/** The settings of every git program, which override those of users and repositories. */
const CONFIG: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsync': 'committed,reference',
  'core.logAllRefUpdates': 'false',
  'core.bigFileThreshold': '32m', // larger ones are streamed, never held whole
  'core.protectHFS': 'true',
  'core.protectNTFS': 'true',
  'core.quotePath': 'false',
  'protocol.allow': 'never',
  'safe.directory': '*', // in a container folders may belong to another user
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'receive.autogc': 'false',
  'repack.updateServerInfo': 'false', // files of the dumb protocol would count as bytes
  'receive.unpackLimit': '1',
  'fetch.unpackLimit': '1',
  'transfer.fsckObjects': 'true',
  'pack.windowMemory': '128m',
  'advice.detachedHead': 'false',
  'init.defaultBranch': 'main',
};

/** Settings and variables of one program, which override the usual ones of the same name. */
export interface Settings {
  readonly config?: Readonly<Record<string, string>> | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns the whole environment of a git program, which inherits only PATH from ours. Settings are passed in it rather than
 * in the arguments, which any user of the machine can read. `home` is an empty folder.
 */
export function gitEnvironment(home: string, { config, env }: Settings): Record<string, string> {
  const settings = Object.entries({ ...CONFIG, ...config });
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C',
    TZ: 'UTC', // zip archives hold local times
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    // The folder above the repository, because one that is broken must not mean another that DATA_DIR lies in. Not its
    // path: this is a list, in which a colon would end the item.
    GIT_CEILING_DIRECTORIES: '/proc/self/cwd/..',
    GIT_TERMINAL_PROMPT: '0',
    GIT_FLUSH: '0', // otherwise lists of commits are written, and read, line by line
    GIT_NO_REPLACE_OBJECTS: '1', // a pushed refs/replace/… must not change what anybody sees
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...env,
  };
}
