import { createToken, deleteToken, listTokens } from './access-tokens.js';
import { adminCreateUser } from './admin-create-user.js';
import { adminDeleteUser } from './admin-delete-user.js';
import { adminEditUser } from './admin-edit-user.js';
import { adminListUsers, adminRenameUser } from './admin-users.js';
import { addOwnEmails, deleteOwnEmails, listOwnEmails } from './emails.js';
import { listHistory } from './history.js';
import { searchForUsers } from './search-users.js';
import { editSettings, getSettings } from './settings.js';
import { getCurrentUser, getUser } from './users.js';

export const accountRoutes = [
  adminListUsers,
  adminCreateUser,
  adminEditUser,
  adminDeleteUser,
  adminRenameUser,
  listHistory,
  getCurrentUser,
  getUser,
  searchForUsers,
  getSettings,
  editSettings,
  listOwnEmails,
  addOwnEmails,
  deleteOwnEmails,
  listTokens,
  createToken,
  deleteToken,
];
