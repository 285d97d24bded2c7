/** The id that is shown as the author of what deleted users left. No account has it. */
export const GHOST_ID = -1;
