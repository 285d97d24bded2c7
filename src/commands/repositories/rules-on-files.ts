import { Turns } from '../../concurrency/turns.js';
import { forbidden } from '../../domain/errors.js';
import type { BranchProtection } from '../../domain/repositories/branch-protection.js';
import { asksForFiles, refusalByRule, type Pusher } from '../../domain/repositories/branch-rules.js';
import { inParts } from '../../values/in-parts.js';

/** The maximum length of a path; longer ones cannot be read either. */
const MAX_PATH = 4_096;
/** How many characters of paths are matched against rules at once: the slowest patterns take a few µs for each. */
const PART = 2 * 1024;
const RULES_MS = 30_000;

/** Evaluates a rule. */
export type AskingRules = <T>(ask: () => T) => Promise<T>;

/**
 * Returns a function that evaluates rules and limits their total time, because users may write rules that match slowly. It
 * rejects once `signal` is aborted.
 */
export function askingRules(signal?: AbortSignal): AskingRules {
  const turns = new Turns();
  return async (ask) => {
    signal?.throwIfAborted();
    const said = await turns.take(ask);
    if (turns.spentMs > RULES_MS)
      throw forbidden(
        'branch.rules_slow',
        'the rules of branches take too long for so much at once: push less',
      );
    return said;
  };
}

/** What the files of a branch are judged by. */
export interface FileGrounds {
  readonly rule: BranchProtection;
  readonly pusher: Pusher;
  /** The paths that change; only called if the rule asks for them. */
  readonly paths: () => Promise<Iterable<string>>;
  readonly asked?: AskingRules;
}

/** Returns why a rule refuses a change that neither deletes nor forces; undefined if it allows it. */
export async function refusalByFiles({
  rule,
  pusher,
  paths: read,
  asked = askingRules(),
}: FileGrounds): Promise<string | undefined> {
  const paths = asksForFiles(rule, pusher) ? await read() : [];
  for (const files of partsOf(paths)) {
    if (files.some(({ length }) => length > MAX_PATH)) return 'the path of a file is too long for its rules';
    const change = { deletes: false, forces: false, files };
    const refusal = await asked(() => refusalByRule(rule, pusher, change));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Splits paths into what is matched in one turn; a single empty part if there are none. */
function* partsOf(paths: Iterable<string>): Generator<readonly string[], undefined> {
  let isEmpty = true;
  for (const part of inParts(paths, PART, ({ length }) => length)) {
    isEmpty = false;
    yield part;
  }
  if (isEmpty) yield [];
}
