import { expect } from 'chai';
import { CommandHandler } from '../../src/commands/handle.js';
import { Database } from '../../src/database/database.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { eventTypes } from '../../src/event-log/event-types.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { routing } from '../../src/http/router.js';
import { schemaOf } from '../../projections/projection.js';
import { engineDatabase, reached, startProjector } from '../projections/engine/support.js';
import { allRoutes } from '../support/all-routes.js';
import { TestPeople } from '../support/people.js';
import { specification } from '../support/specification.js';
import { noticeRoutes } from './notice-routes.js';
import { Notice, type NoticeEvent } from './notice.js';
import { notices } from './notices.js';
import { readNotice } from './read-notice.js';

const at = '2026-01-01T00:00:00Z';
const { given } = specification(Notice);
const putUp = (text: string) => ({ type: 'PutUpNotice', data: { text, at } }) as const;
const isUp = (text: string): NoticeEvent => ({ type: 'NoticePutUp', data: { text, putUpAt: at } });

describe('a notice', () => {
  it('is put up', () => given().when(putUp('we rest')).then(isUp('we rest')));
  it('takes the place of another', () => given(isUp('a')).when(putUp('b')).then(isUp('b')));
  it('that is up already changes nothing', () => given(isUp('a')).when(putUp('a')).then());
  it('is taken down by an empty one', () => given(isUp('a')).when(putUp('')).then(isUp('')));
  it('has 280 characters, however many code units', () =>
    given()
      .when(putUp('🛠'.repeat(280)))
      .then(isUp('🛠'.repeat(280))));
  it('has no more than that', () =>
    given()
      .when(putUp('a'.repeat(281)))
      .thenRefused('notice.too_long'));

  it('is read once the projector has passed it', async () => {
    const types = { ...eventTypes, NoticePutUp: { categories: ['notice'], version: 1 } };
    const log = new EventLog({ store: new MemoryEventStore(), people: new TestPeople(), types });
    const commands = new CommandHandler({ log });
    const scratch = await engineDatabase([notices], MIGRATIONS);
    const projector = startProjector(scratch, log, [notices]);
    const db = new Database({ ...scratch.options, searchPath: [schemaOf(notices)] });
    try {
      const context = { commandId: 'first', at };
      const { position } = await commands.handle(Notice, 'main', putUp('we rest'), context);
      await reached(scratch.database, schemaOf(notices), position);
      expect(await readNotice(db)).to.equal('we rest');
    } finally {
      await projector.stop();
      await db.close();
      await scratch.drop();
    }
  });

  it('has routes that fit among the others', () => {
    expect(() => routing([...allRoutes, ...noticeRoutes], () => () => undefined)).not.to.throw();
  });
});

/** As seen from `dist/`. */
const MIGRATIONS = new URL('../../../test/example/migrations/', import.meta.url);
