import { z } from 'zod';
import { anyone, siteAdministrator } from '../../src/http/access.js';
import { route } from '../../src/http/route.js';
import { nothing, problem } from '../../src/http/schema.js';
import { Notice } from './notice.js';
import { readNotice } from './read-notice.js';

const NoticeBody = z.object({ text: z.string() });

export const noticeRoutes = [
  route({
    id: 'getNotice',
    method: 'GET',
    path: '/notice',
    access: anyone,
    scope: 'none',
    answers: { 200: NoticeBody },
    handle: async ({ db }) => ({ text: await readNotice(db) }),
  }),

  route({
    id: 'adminPutUpNotice',
    method: 'PUT',
    path: '/admin/notice',
    access: siteAdministrator,
    scope: 'admin',
    body: NoticeBody,
    answers: { 204: nothing, 401: problem, 403: problem, 422: problem },
    async handle({ body, handle, now }) {
      await handle(Notice, 'main', { type: 'PutUpNotice', data: { text: body.text, at: now() } });
    },
  }),
];
