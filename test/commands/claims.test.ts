import { expect } from 'chai';
import type { Claimable } from '../../src/commands/claimable.js';
import { Claims, ClaimTaken } from '../../src/commands/claims.js';
import { CommandHandler } from '../../src/commands/handle.js';
import { repositoryNameClaim } from '../../src/commands/repositories/repository-claims.js';
import { ABANDONED } from '../../src/domain/repositories/lifecycle.js';
import { Repository } from '../../src/domain/repositories/repository.js';
import { defaultSettings } from '../../src/domain/repositories/settings.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { TestPeople } from '../support/people.js';
import { rejection } from '../support/rejection.js';

const at = '2026-01-01T00:00:00Z';
const context = (commandId: string) => ({ commandId, at });

describe('the claim of a repository that is being filled', () => {
  /** Its room is reserved, by whomever: that shows for minutes, whether its process lives or not. */
  const wanted: Claimable = { ...repositoryNameClaim(1, 'name'), isAtWork: () => Promise.resolve(true) };
  let commands: CommandHandler;
  let claims: Claims;

  beforeEach(async () => {
    commands = new CommandHandler({
      log: new EventLog({ store: new MemoryEventStore(), people: new TestPeople() }),
    });
    claims = new Claims({ commands, patienceMs: 0 });
    await claims.claim(wanted, 7, context('first'));
  });

  it('stands against everybody else', async () => {
    expect(await rejection(claims.claim(wanted, 8, context('second')))).to.be.instanceOf(ClaimTaken);
  });

  it('is taken over by the same command that is sent again, and the earlier attempt comes to nothing', async () => {
    expect(await claims.claim(wanted, 8, context('first'))).to.include({ claimantId: 8 });
    const data = { ownerId: 1, creatorId: 1, name: 'name', isPrivate: false, settings: defaultSettings };
    const facts = { objectFormat: 'sha1', trustModel: 'default', createdAt: at } as const;
    const late = commands.handle(
      Repository,
      7,
      { type: 'CreateRepository', data: { ...data, ...facts, refs: { pushId: 'p', updates: [] } } },
      context('late'),
    );
    expect(await rejection(late)).to.include({ code: ABANDONED });
  });
});

describe('a claim by a clock that was ahead', () => {
  it('is taken over by who has waited for it as long as it takes', async () => {
    const commands = new CommandHandler({
      log: new EventLog({ store: new MemoryEventStore(), people: new TestPeople() }),
    });
    const claimsAt = (now: string) => new Claims({ commands, patienceMs: 50, now: () => new Date(now) });
    const wanted = repositoryNameClaim(1, 'name');
    await claimsAt('2026-01-01T01:00:00Z').claim(wanted, 7, context('first'));
    const begun = performance.now();
    const taken = await claimsAt(at).claim(wanted, 8, context('second'));
    expect(taken).to.include({ claimantId: 8 });
    expect(performance.now() - begun).to.be.within(50, 60_000);
  });
});
