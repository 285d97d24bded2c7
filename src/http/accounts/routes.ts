import { createToken, deleteToken, listTokens } from './access-tokens.js';
import { adminCreateUser } from './admin-create-user.js';
import { getCurrentUser, getUser } from './users.js';

export const accountRoutes = [adminCreateUser, getCurrentUser, getUser, listTokens, createToken, deleteToken];
