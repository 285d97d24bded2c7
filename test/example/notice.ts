import type { Decider, Message } from '../../src/domain/decider.js';
import { invalid } from '../../src/domain/errors.js';

export type NoticeCommand = Message<'PutUpNotice', { text: string; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
export type NoticeEvent = Message<'NoticePutUp', { text: string; putUpAt: string }>;

interface State {
  readonly text: string;
}

const MAX_LENGTH = 280;

/** What everybody is told, such as that the server rests tonight. The empty text is no notice. */
export const Notice: Decider<NoticeCommand, NoticeEvent, State> = {
  category: 'notice',
  initialState: { text: '' },

  evolve: (_, { data }) => ({ text: data.text }),

  decide({ data: { text, at } }, state) {
    if ([...text].length > MAX_LENGTH)
      throw invalid('notice.too_long', 'Text', `at most ${MAX_LENGTH} characters`);
    if (text === state.text) return [];
    return [{ type: 'NoticePutUp', data: { text, putUpAt: at } }];
  },
};
