import type { AccountEvent } from '../../src/domain/accounts/account.js';
import type { LabelFacts } from '../../src/domain/labels/label.js';
import type { OrganizationLabelsEvent } from '../../src/domain/organizations/organization-labels.js';
import { labelColumns } from '../label-columns.js';
import { projection, type Columns } from '../projection.js';

/** `organization_labels`: the labels of every organization. */
export const organizationLabels = projection<AccountEvent | OrganizationLabelsEvent>()({
  name: 'organization-labels',
  version: 2,
  tables: { organization_labels: { key: ['organization_id', 'id'] } },
  on: {
    OrganizationLabelCreated: ({ streamId, data }, { organization_labels }) =>
      organization_labels.put(labelRow(Number(streamId), data.labelId, data)),
    OrganizationLabelEdited: ({ streamId, data }, { organization_labels }) =>
      organization_labels.put(labelRow(Number(streamId), data.labelId, data)),
    OrganizationLabelDeleted: ({ streamId, data }, { organization_labels }) =>
      organization_labels.remove({ organization_id: Number(streamId), id: data.labelId }),
    AccountDeleted: ({ data }, { organization_labels }) =>
      organization_labels.removeWhere({ organization_id: data.accountId }),
  },
});

const labelRow = (organization_id: number, id: number, facts: LabelFacts): Columns => ({
  organization_id,
  id,
  ...labelColumns(facts),
});
