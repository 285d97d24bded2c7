import type { Layout } from './disk/layout.js';
import type { Handles } from './nodegit/handles.js';
import type { GitProgram } from './program/git-program.js';

/** What the parts of the implementation share. */
export interface Parts {
  readonly layout: Layout;
  readonly program: GitProgram;
  readonly handles: Handles;
}
