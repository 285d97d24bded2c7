import { expect } from 'chai';
import fc from 'fast-check';
import {
  WrongExpectedVersion,
  type Appended,
  type EventData,
  type EventStore,
  type ExpectedRevision,
  type ReadOptions,
} from '../../../src/event-store/event-store.js';
import { idsOf, newStream, samples, type Fixture } from './samples.js';

/** The log as a reader of the contract imagines it: lists of ids, and every append with its answer. */
interface Model {
  readonly streams: readonly { readonly name: string; readonly ids: string[] }[];
  readonly accepted: { stream: number; expected: ExpectedRevision; events: EventData[]; answer: Appended }[];
}

type Step = fc.AsyncCommand<Model, EventStore>;

const step = (name: string, run: Step['run'], check: Step['check'] = () => true): Step => ({
  check,
  run,
  toString: () => name,
});

const stream = fc.nat({ max: 2 });
const count = fc.integer({ min: 1, max: 4 });

/** An append at the stream's revision, give or take `off`. */
const append = fc
  .record({ stream, count, off: fc.constantFrom(0, 0, 0, -1, 1) })
  .map(({ stream, count, off }) =>
    step(`append ${count} to ${stream}, off by ${off}`, async (model, store) => {
      const { name, ids } = streamOf(model, stream);
      const actual = revisionOf(ids.length - 1);
      const expected = revisionOf(ids.length - 1 + off);
      const events = samples(count);
      try {
        const answer = await store.append(name, expected, events);
        expect(expected).to.equal(actual);
        ids.push(...idsOf(events));
        expect(answer.revision).to.equal(ids.length - 1);
        model.accepted.push({ stream, expected, events, answer });
      } catch (error) {
        if (!(error instanceof WrongExpectedVersion)) throw error;
        expect(expected).not.to.equal(actual);
        expect(error).to.include({ stream: name, expected, actual });
      }
    }),
  );

const retry = fc.nat().map((pick) =>
  step(
    `retry ${pick}`,
    async (model, store) => {
      const earlier = model.accepted[pick % model.accepted.length];
      if (!earlier) throw new Error('nothing to retry');
      const { name } = streamOf(model, earlier.stream);
      expect(await store.append(name, earlier.expected, earlier.events)).to.deep.equal(earlier.answer);
    },
    (model) => model.accepted.length > 0,
  ),
);

const read = fc
  .record({
    stream,
    direction: fc.constantFrom('forwards' as const, 'backwards' as const),
    from: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
    max: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
  })
  .map(({ stream, direction, from, max }) =>
    step(`read ${max} of ${stream} ${direction} from ${from}`, async (model, store) => {
      const { name, ids } = streamOf(model, stream);
      const options: ReadOptions = {
        direction,
        ...(from !== undefined && { from }),
        ...(max !== undefined && { max }),
      };
      const ordered =
        direction === 'forwards' ? ids.slice(from) : ids.slice(0, (from ?? ids.length) + 1).toReversed();
      expect(idsOf(await store.readStream(name, options))).to.deep.equal(ordered.slice(0, max));
    }),
  );

export function behavesAsModel(fixture: Fixture): void {
  it('answers any sequence of appends, retries and reads as the model does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands([append, append, retry, read], { maxCommands: 25 }), async (steps) => {
        const model: Model = { streams: [0, 1, 2].map(() => ({ name: newStream(), ids: [] })), accepted: [] };
        await fc.asyncModelRun(() => ({ model, real: fixture().store }), steps);
      }),
      { numRuns: 40 },
    );
  });
}

const revisionOf = (last: number): ExpectedRevision => (last < 0 ? 'noStream' : last);

function streamOf(model: Model, index: number) {
  const found = model.streams[index];
  if (!found) throw new Error(`no stream ${index}`);
  return found;
}
