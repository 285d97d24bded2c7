import { z } from 'zod';
import { notFound } from '../../domain/errors.js';
import { findGitignore, gitignoreNames } from '../../templates/gitignore.js';
import { findLabelSet, labelSetNames } from '../../templates/label-sets.js';
import { findLicense, LICENSE_USE, licenses, licenseText, type License } from '../../templates/licenses.js';
import { anyone } from '../access.js';
import { route } from '../route.js';
import { problem } from '../schema.js';

const GitignoreTemplate = z
  .object({ name: z.string(), source: z.string() })
  .meta({ id: 'GitignoreTemplateInfo' });

const LicensesTemplateListEntry = z
  .object({ key: z.string(), name: z.string(), url: z.string() })
  .meta({ id: 'LicensesTemplateListEntry' });

const LicenseTemplate = z
  .object({
    key: z.string(),
    name: z.string(),
    url: z.string(),
    implementation: z.string(),
    body: z.string(),
  })
  .meta({ id: 'LicenseTemplateInfo' });

const LabelTemplate = z
  .object({ name: z.string(), color: z.string(), description: z.string(), exclusive: z.boolean() })
  .meta({ id: 'LabelTemplate' });

const absent = () => notFound('template.absent', 'no such template');

/** The name equals the key, as in Forgejo, because clients use it to look up licenses and to create repositories. */
const licenseEntry = ({ key }: License, baseUrl: string) => ({
  key,
  name: key,
  url: `${baseUrl}/api/v1/licenses/${key}`,
});

/** The templates for new repositories. */
export const templateRoutes = [
  route({
    id: 'listGitignoresTemplates',
    method: 'GET',
    path: '/gitignore/templates',
    access: anyone,
    scope: 'none',
    answers: { 200: z.array(z.string()) },
    handle: () => gitignoreNames,
  }),

  route({
    id: 'getGitignoreTemplateInfo',
    method: 'GET',
    path: '/gitignore/templates/{name}',
    access: anyone,
    scope: 'none',
    answers: { 200: GitignoreTemplate, 404: problem },
    handle({ params: { name } }) {
      const source = findGitignore(name);
      if (source === undefined) throw absent();
      return { name, source };
    },
  }),

  route({
    id: 'listLicenseTemplates',
    method: 'GET',
    path: '/licenses',
    access: anyone,
    scope: 'none',
    answers: { 200: z.array(LicensesTemplateListEntry) },
    handle: ({ services }) => licenses.map((license) => licenseEntry(license, services.config.baseUrl)),
  }),

  route({
    id: 'getLicenseTemplateInfo',
    method: 'GET',
    path: '/licenses/{name}',
    access: anyone,
    scope: 'none',
    answers: { 200: LicenseTemplate, 404: problem },
    handle({ params: { name }, services }) {
      const license = findLicense(name);
      if (!license) throw absent();
      return {
        ...licenseEntry(license, services.config.baseUrl),
        implementation: LICENSE_USE,
        body: licenseText(license),
      };
    },
  }),

  route({
    id: 'listLabelTemplates',
    method: 'GET',
    path: '/label/templates',
    access: anyone,
    scope: 'none',
    answers: { 200: z.array(z.string()) },
    handle: () => labelSetNames,
  }),

  route({
    id: 'getLabelTemplateInfo',
    method: 'GET',
    path: '/label/templates/{name}',
    access: anyone,
    scope: 'none',
    answers: { 200: z.array(LabelTemplate), 404: problem },
    handle({ params: { name } }) {
      const labels = findLabelSet(name);
      if (!labels) throw absent();
      return labels;
    },
  }),
];
