import { expect } from 'chai';
import { Milestones, type MilestonesEvent } from '../../../src/domain/issues/milestones.js';
import {
  RepositoryLabels,
  type RepositoryLabelsEvent,
} from '../../../src/domain/issues/repository-labels.js';
import { exclusiveScope } from '../../../src/domain/labels/label.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-02T03:04:05.000Z';

describe('RepositoryLabels', () => {
  const { given } = specification(RepositoryLabels);
  const bug = { name: 'bug', color: '00aabb', description: '', exclusive: false, isArchived: false };
  const created: RepositoryLabelsEvent = {
    type: 'LabelCreated',
    data: { labelId: 1, ...bug, createdAt: at },
  };
  const create = (...labels: { labelId: number; label: object }[]) =>
    ({ type: 'CreateLabels', data: { labels, at } }) as const;

  it('are created, several at once or none', () => {
    given()
      .when(create({ labelId: 1, label: { name: 'bug', color: '#0AB' } }))
      .then(created);
    given()
      .when(create({ labelId: 1, label: bug }, { labelId: 2, label: { ...bug, name: 'BUG' } }))
      .thenRefused('label.name_taken');
  });

  it('have a name of their own and a colour', () => {
    given(created)
      .when(create({ labelId: 2, label: { ...bug, name: 'Bug' } }))
      .thenRefused('label.name_taken');
    given()
      .when(create({ labelId: 1, label: { ...bug, name: ' ' } }))
      .thenRefused('label.name_missing');
    const longest = { ...bug, name: '\u{1f41b}'.repeat(50) };
    given()
      .when(create({ labelId: 1, label: longest }))
      .then({ type: 'LabelCreated', data: { labelId: 1, ...longest, createdAt: at } });
    given()
      .when(create({ labelId: 1, label: { ...bug, name: 'x'.repeat(51) } }))
      .thenRefused('label.name_long');
    given()
      .when(create({ labelId: 1, label: { ...bug, color: '#12345g' } }))
      .thenRefused('label.color_invalid');
  });

  it('are 1,000 at most, unless more are copied, and stay editable and deletable where there are more', () => {
    const other = (labelId: number): RepositoryLabelsEvent => ({
      type: 'LabelCreated',
      data: { labelId, ...bug, name: `label ${labelId}`, createdAt: at },
    });
    const many = Array.from({ length: 999 }, (_, index) => other(index + 2));
    const label = { labelId: 1, label: bug };
    const last = { labelId: 1_001, label: { ...bug, name: 'label 1001' } };
    given(...many)
      .when(create(label))
      .then(created);
    for (const labels of [
      [label, last],
      [last, label],
    ])
      given(...many)
        .when(create(...labels))
        .thenRefused('label.too_many');
    const copy = create(last);
    given(...many, created)
      .when({ ...copy, data: { ...copy.data, copied: true } })
      .then(other(1_001));
    const over = [...many, created, other(1_001)];
    given(...over)
      .when({ type: 'EditLabel', data: { labelId: 1, changes: { description: 'so' }, at } })
      .then({
        type: 'LabelEdited',
        data: { labelId: 1, ...bug, description: 'so', before: bug, editedAt: at },
      });
    given(...over)
      .when({ type: 'DeleteLabel', data: { labelId: 1, at } })
      .then({ type: 'LabelDeleted', data: { labelId: 1, name: 'bug', deletedAt: at } });
  });

  it('are edited', () => {
    given(created)
      .when({ type: 'EditLabel', data: { labelId: 1, changes: { name: 'Bug', color: 'fff' }, at } })
      .then({
        type: 'LabelEdited',
        data: { labelId: 1, ...bug, name: 'Bug', color: 'ffffff', before: bug, editedAt: at },
      });
    given(created)
      .when({ type: 'EditLabel', data: { labelId: 1, changes: {}, at } })
      .then();
    const others = { description: 'fails', exclusive: true, isArchived: true };
    given(created)
      .when({ type: 'EditLabel', data: { labelId: 1, changes: others, at } })
      .then({ type: 'LabelEdited', data: { labelId: 1, ...bug, ...others, before: bug, editedAt: at } });
    given(created, { type: 'LabelCreated', data: { labelId: 2, ...bug, name: 'idea', createdAt: at } })
      .when({ type: 'EditLabel', data: { labelId: 2, changes: { name: 'Bug' }, at } })
      .thenRefused('label.name_taken');
    given()
      .when({ type: 'EditLabel', data: { labelId: 1, changes: {}, at } })
      .thenRefused('label.absent');
  });

  it('exclude others of their scope, which is what stands before the last slash, where they are exclusive', () => {
    const scopeOf = (name: string, exclusive = true) => exclusiveScope({ name, exclusive });
    expect(['kind/bug', 'a/b/c', 'k/b'].map((name) => scopeOf(name))).to.deep.equal(['kind', 'a/b', 'k']);
    for (const name of ['bug', '/bug', 'kind/', '/']) expect(scopeOf(name), name).to.equal(undefined);
    expect(scopeOf('kind/bug', false)).to.equal(undefined);
  });

  it('are deleted, and free their name', () => {
    const deleted: RepositoryLabelsEvent = {
      type: 'LabelDeleted',
      data: { labelId: 1, name: 'bug', deletedAt: at },
    };
    given(created)
      .when({ type: 'DeleteLabel', data: { labelId: 1, at } })
      .then(deleted);
    given(created, deleted)
      .when(create({ labelId: 2, label: bug }))
      .then({ type: 'LabelCreated', data: { labelId: 2, ...bug, createdAt: at } });
    given()
      .when({ type: 'DeleteLabel', data: { labelId: 1, at } })
      .thenRefused('label.absent');
  });
});

describe('Milestones', () => {
  const { given } = specification(Milestones);
  const facts = { title: 'v1', description: '', isClosed: false, dueAt: null };
  const created: MilestonesEvent = {
    type: 'MilestoneCreated',
    data: { milestoneId: 1, ...facts, createdAt: at },
  };

  it('are created with a title', () => {
    given()
      .when({ type: 'CreateMilestone', data: { milestoneId: 1, milestone: { title: ' v1 ' }, at } })
      .then(created);
    given()
      .when({ type: 'CreateMilestone', data: { milestoneId: 1, milestone: {}, at } })
      .thenRefused('milestone.title_missing');
    const long = (length: number) =>
      ({
        type: 'CreateMilestone',
        data: { milestoneId: 1, milestone: { title: 'x'.repeat(length) }, at },
      }) as const;
    given()
      .when(long(255))
      .then({
        type: 'MilestoneCreated',
        data: { milestoneId: 1, ...facts, title: 'x'.repeat(255), createdAt: at },
      });
    given().when(long(256)).thenRefused('milestone.title_long');
  });

  it('are closed, and lose their deadline', () => {
    const due = { ...facts, dueAt: at };
    given(created)
      .when({ type: 'EditMilestone', data: { milestoneId: 1, changes: { dueAt: at }, at } })
      .then({ type: 'MilestoneEdited', data: { milestoneId: 1, ...due, before: facts, editedAt: at } });
    given(created, { type: 'MilestoneEdited', data: { milestoneId: 1, ...due, before: facts, editedAt: at } })
      .when({
        type: 'EditMilestone',
        data: { milestoneId: 1, changes: { dueAt: null, isClosed: true, title: ' ' }, at },
      })
      .then({
        type: 'MilestoneEdited',
        data: { milestoneId: 1, ...facts, isClosed: true, before: due, editedAt: at },
      });
    given(created)
      .when({ type: 'EditMilestone', data: { milestoneId: 1, changes: {}, at } })
      .then();
    const described = { ...facts, description: 'soon' };
    given(created)
      .when({ type: 'EditMilestone', data: { milestoneId: 1, changes: { description: 'soon' }, at } })
      .then({ type: 'MilestoneEdited', data: { milestoneId: 1, ...described, before: facts, editedAt: at } });
  });

  it('are deleted', () => {
    const deleted: MilestonesEvent = {
      type: 'MilestoneDeleted',
      data: { milestoneId: 1, title: 'v1', deletedAt: at },
    };
    given(created)
      .when({ type: 'DeleteMilestone', data: { milestoneId: 1, at } })
      .then(deleted);
    given(created, deleted)
      .when({ type: 'DeleteMilestone', data: { milestoneId: 1, at } })
      .thenRefused('milestone.absent');
  });
});
