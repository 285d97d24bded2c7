import { z } from 'zod';
import { anyone } from '../access.js';
import { MAX_CONTENT_BYTES } from '../repositories/content/content-answer.js';
import { MAX_TREE_ENTRIES } from '../repositories/content/git-objects.js';
import { route } from '../route.js';

const GeneralApiSettings = z
  .object({
    max_response_items: z.int(),
    default_paging_num: z.int(),
    default_git_trees_per_page: z.int(),
    default_max_blob_size: z.int(),
  })
  .meta({ id: 'GeneralAPISettings' });

const GeneralRepositorySettings = z
  .object({
    mirrors_disabled: z.boolean(),
    http_git_disabled: z.boolean(),
    migrations_disabled: z.boolean(),
    stars_disabled: z.boolean(),
    forks_disabled: z.boolean(),
    time_tracking_disabled: z.boolean(),
    lfs_disabled: z.boolean(),
  })
  .meta({ id: 'GeneralRepoSettings' });

const GeneralUiSettings = z
  .object({
    default_theme: z.string(),
    allowed_reactions: z.array(z.string()),
    custom_emojis: z.array(z.string()),
  })
  .meta({ id: 'GeneralUISettings' });

const GeneralAttachmentSettings = z
  .object({ enabled: z.boolean(), allowed_types: z.string(), max_size: z.int(), max_files: z.int() })
  .meta({ id: 'GeneralAttachmentSettings' });

const open = { method: 'GET', access: anyone, scope: 'none' } as const;

/** The server's limits and features, which clients query before they use it. */
export const settingsRoutes = [
  route({
    ...open,
    id: 'getGeneralAPISettings',
    path: '/settings/api',
    answers: { 200: GeneralApiSettings },
    handle: ({ services: { config } }) => ({
      max_response_items: config.page.maxLimit,
      default_paging_num: config.page.defaultLimit,
      default_git_trees_per_page: MAX_TREE_ENTRIES,
      default_max_blob_size: MAX_CONTENT_BYTES,
    }),
  }),

  route({
    ...open,
    id: 'getGeneralRepositorySettings',
    path: '/settings/repository',
    answers: { 200: GeneralRepositorySettings },
    handle: ({
      services: {
        config: { copies, disableHttpGit },
      },
    }) => ({
      mirrors_disabled: !copies.mirrors,
      http_git_disabled: disableHttpGit,
      migrations_disabled: !copies.migrations,
      stars_disabled: true,
      forks_disabled: !copies.forks,
      time_tracking_disabled: true,
      lfs_disabled: true,
    }),
  }),

  route({
    ...open,
    id: 'getGeneralUISettings',
    path: '/settings/ui',
    answers: { 200: GeneralUiSettings },
    handle: () => ({ default_theme: '', allowed_reactions: [], custom_emojis: [] }),
  }),

  route({
    ...open,
    id: 'getGeneralAttachmentSettings',
    path: '/settings/attachment',
    answers: { 200: GeneralAttachmentSettings },
    handle: () => ({ enabled: false, allowed_types: '', max_size: 0, max_files: 0 }),
  }),
];
