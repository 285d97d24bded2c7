import {
  adminCreatePublicKey,
  adminDeleteUserPublicKey,
  createOwnKey,
  deleteKey,
  getKey,
  listKeysOfUser,
  listOwnKeys,
} from './keys.js';

export const keyRoutes = [
  adminCreatePublicKey,
  adminDeleteUserPublicKey,
  listOwnKeys,
  createOwnKey,
  getKey,
  deleteKey,
  listKeysOfUser,
];
