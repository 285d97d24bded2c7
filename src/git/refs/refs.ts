import { eachUnlessRemoved } from '../missing.js';
import type { Refs } from '../port/refs.js';
import type { Parts } from '../parts.js';
import { growthOf } from './growth.js';
import { listRefs } from './list.js';
import { prepare } from './prepare.js';
import { followSteps, resolveRevision } from './resolve.js';

/** Implements reading and changing of refs; they change only in prepared transactions. */
export function refsOf(parts: Parts): Refs {
  const { layout, program } = parts;
  return {
    async refs(id) {
      return await listRefs(parts, await layout.existing(id));
    },
    async prepareRefs(id, changes) {
      const prepared = await prepare(program, await layout.existing(id), changes);
      return eachUnlessRemoved(layout, prepared, id);
    },
    async growth(id, changes) {
      return await growthOf(parts, await layout.existing(id), changes);
    },
    async resolve(id, revision) {
      return await resolveRevision(parts, await layout.existing(id), revision);
    },
    async follow(id, from, steps) {
      return await followSteps(parts, await layout.existing(id), from, steps);
    },
  };
}
