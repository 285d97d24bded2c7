import type { LabelFacts } from '../../../src/domain/labels/label.js';
import {
  OrganizationLabels,
  type OrganizationLabelsEvent,
} from '../../../src/domain/organizations/organization-labels.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const { given } = specification(OrganizationLabels);

const bug: LabelFacts = { name: 'bug', color: 'ff0000', description: '', exclusive: false, isArchived: true };
const created = (labelId: number, facts: LabelFacts): OrganizationLabelsEvent => ({
  type: 'OrganizationLabelCreated',
  data: { labelId, ...facts, createdAt: at },
});
const create = (label: Partial<LabelFacts>) =>
  ({ type: 'CreateOrganizationLabel', data: { labelId: 2, label, at } }) as const;
const edit = (labelId: number, changes: Partial<LabelFacts>) =>
  ({ type: 'EditOrganizationLabel', data: { labelId, changes, at } }) as const;
const remove = (labelId: number) => ({ type: 'DeleteOrganizationLabel', data: { labelId, at } }) as const;

describe('the labels of an organization', () => {
  it('may share a name', () => given(created(1, bug)).when(create(bug)).then(created(2, bug)));
  for (const [color, stored] of [
    ['#FA0', 'ffaa00'],
    ['0aF', '00aaff'],
    ['#00AAff', '00aaff'],
  ] as const)
    it(`keep the colour ${color} as ${stored}`, () =>
      given()
        .when(create({ name: 'a', color }))
        .then(
          created(2, { name: 'a', color: stored, description: '', exclusive: false, isArchived: false }),
        ));
  for (const color of ['', 'red', '#12345', '1234567', '##123456'])
    it(`have no colour ${JSON.stringify(color)}`, () =>
      given()
        .when(create({ name: 'a', color }))
        .thenRefused('label.color_invalid'));
  it('have a short name', () =>
    given()
      .when(create({ name: 'é'.repeat(51), color: 'fff' }))
      .thenRefused('label.name_long'));
  it('have a name', () =>
    given()
      .when(create({ name: ' ', color: 'fff' }))
      .thenRefused('label.name_missing'));

  it('are 1,000 at most', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => created(index + 10, bug));
    given(...many.slice(1))
      .when(create(bug))
      .then(created(2, bug));
    given(...many)
      .when(create(bug))
      .thenRefused('label.too_many');
  });

  it('change in what is given, and stay archived where that is not said', () =>
    given(created(1, bug))
      .when(edit(1, { name: 'defect', color: '#FFF' }))
      .then({
        type: 'OrganizationLabelEdited',
        data: { labelId: 1, ...bug, name: 'defect', color: 'ffffff', before: bug, editedAt: at },
      }));
  it('are not recorded where nothing changes', () =>
    given(created(1, bug))
      .when(edit(1, { color: '#F00' }))
      .then());
  it('must exist to be changed', () => given().when(edit(1, {})).thenRefused('label.absent'));

  it('are deleted', () =>
    given(created(1, bug))
      .when(remove(1))
      .then({ type: 'OrganizationLabelDeleted', data: { labelId: 1, name: 'bug', deletedAt: at } }));
  it('that are not there are deleted without a trace', () => given().when(remove(1)).then());
});
