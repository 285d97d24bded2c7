import { z } from 'zod';
import { orNothing, requiredText, shownTime } from '../../schema.js';
import { PayloadUser, Verification } from './schema.js';

export const PayloadCommit = z
  .object({
    id: z.string(),
    message: z.string(),
    url: z.string(),
    author: PayloadUser,
    committer: PayloadUser,
    verification: Verification,
    timestamp: shownTime,
    added: z.null(),
    removed: z.null(),
    modified: z.null(),
  })
  .meta({ id: 'PayloadCommit' });

export const Branch = z
  .object({
    name: z.string(),
    commit: PayloadCommit,
    protected: z.boolean(),
    required_approvals: z.int(),
    enable_status_check: z.boolean(),
    status_check_contexts: z.array(z.string()),
    user_can_push: z.boolean(),
    user_can_merge: z.boolean(),
    effective_branch_protection_name: z.string(),
  })
  .meta({ id: 'Branch' });

/** CreateBranchRepoOption; older clients send `old_branch_name` for `old_ref_name`. */
export const CreateBranchBody = z
  .object({
    new_branch_name: requiredText,
    old_ref_name: orNothing(z.string()),
    old_branch_name: orNothing(z.string()),
  })
  .meta({ id: 'CreateBranchRepoOption' });

export const RenameBranchBody = z.object({ name: requiredText }).meta({ id: 'UpdateBranchRepoOption' });
