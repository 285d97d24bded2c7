import { projection } from '../../projections/projection.js';
import type { NoticeEvent } from './notice.js';

/** `notices`: the notice that is up. */
export const notices = projection<NoticeEvent>()({
  name: 'notices',
  version: 1,
  tables: { notices: { key: ['id'] } },
  on: {
    NoticePutUp: ({ streamId, data }, { notices }) =>
      notices.put({ id: streamId, text: data.text, put_up_at: data.putUpAt }),
  },
});
