/** The id under which what deleted users left is shown; no account has it. */
export const GHOST_ID = -1;
