import { z } from 'zod';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { issueReader, issuesAt } from './place.js';

const ContactLink = z
  .object({ name: z.string(), url: z.string(), about: z.string() })
  .meta({ id: 'IssueConfigContactLink' });

const IssueConfig = z
  .object({ blank_issues_enabled: z.boolean(), contact_links: z.array(ContactLink) })
  .meta({ id: 'IssueConfig' });

export const issueConfigRoutes = [
  /** Answers that no issue needs a template, since none are served. Some clients ask before they open an issue. */
  route({
    id: 'repoGetIssueConfig',
    method: 'GET',
    path: '/repos/{owner}/{repo}/issue_config',
    access: issueReader,
    scope: 'repository',
    parent: issuesAt,
    answers: { 200: IssueConfig, 403: problem, 404: problem },
    handle: () => ({ blank_issues_enabled: true, contact_links: [] }),
  }),
];
