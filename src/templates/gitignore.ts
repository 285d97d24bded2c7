import { editors } from './gitignore/editors.js';
import { languages } from './gitignore/languages.js';
import { systems } from './gitignore/systems.js';
import { tools } from './gitignore/tools.js';

const templates = new Map(Object.entries({ ...languages, ...tools, ...editors, ...systems }));

/** The names of all templates, in alphabetical order. */
export const gitignoreNames: readonly string[] = [...templates.keys()].sort();

/** Returns the template of that exact name; undefined if there is none. */
export const findGitignore = (name: string): string | undefined => templates.get(name);
