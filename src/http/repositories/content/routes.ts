import { archiveRoutes } from './archive.js';
import { branchRoutes } from './branches.js';
import { commitRoutes } from './commits.js';
import { contentsRoutes } from './contents.js';
import { editorConfigRoutes } from './editorconfig.js';
import { fileRoutes } from './files.js';
import { gitObjectRoutes } from './git-objects.js';
import { languageRoutes } from './languages.js';
import { rawRoutes } from './raw.js';
import { tagRoutes } from './tags.js';

/** The routes to a repository's content: branches, tags, commits, files. */
export const contentRoutes = [
  ...branchRoutes,
  ...tagRoutes,
  ...commitRoutes,
  ...gitObjectRoutes,
  ...archiveRoutes,
  ...editorConfigRoutes,
  ...contentsRoutes,
  ...fileRoutes,
  ...rawRoutes,
  ...languageRoutes,
];
