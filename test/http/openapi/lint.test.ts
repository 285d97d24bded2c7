import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import { openApi } from '../../../src/http/openapi/document.js';
import { swagger } from '../../../src/http/openapi/swagger.js';
import { allRoutes } from '../../support/all-routes.js';

/** Of the recommended rules, those that the specification itself breaks. */
const RULES = {
  // `POST /orgs/{org}/hooks/`; both spellings are served.
  'no-path-trailing-slash': 'off',
  // `issues/comments/{id}` and `issues/{index}/labels`; the fixed part wins.
  'no-ambiguous-paths': 'off',
} as const;

describe('the documents, linted', () => {
  const problemsOf = async (document: object) => {
    const config = await createConfig({ extends: ['recommended'], rules: RULES });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: 'memory.json', config });
    return problems.map(
      ({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer ?? ''}`,
    );
  };

  it('OpenAPI 3.1', async () => {
    expect(await problemsOf(openApi(allRoutes))).to.deep.equal([]);
  });

  it('Swagger 2.0', async () => {
    expect(await problemsOf(swagger(openApi(allRoutes)))).to.deep.equal([]);
  });
});
