import { expect } from 'chai';
import { request } from 'undici';
import { readConfig } from '../../../src/config.js';
import { describedPath, openApi, type OpenApi } from '../../../src/http/openapi/document.js';
import { swagger } from '../../../src/http/openapi/swagger.js';
import { startApi, type TestApi } from '../../support/api.js';
import { allRoutes as routes } from '../../support/all-routes.js';
import { declared } from './declared.js';

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
}

type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;

describe('the API described', () => {
  let api: TestApi;
  const documents = new Map<string, { paths: Paths } & Record<string, unknown>>();

  before(async () => {
    api = await startApi({ config: { quota: { ...readConfig({}).quota, enabled: true } } });
    for (const path of ['/api/v1/openapi.json', '/swagger.v1.json']) {
      const response = await fetch(api.url() + path);
      expect(response.status, path).to.equal(200);
      documents.set(path, (await response.json()) as never);
    }
  });
  after(() => api.stop());

  const pathsOf = (path: string) => documents.get(path)?.paths ?? {};

  for (const path of ['/api/v1/openapi.json', '/swagger.v1.json']) {
    it(`${path} has each of the specification's ${declared.length} operations where it declares it`, () => {
      for (const { id, method, path: at, statuses } of declared) {
        const operation = pathsOf(path)[at]?.[method.toLowerCase()];
        expect(operation?.operationId, `${method} ${at}`).to.equal(id);
        expect(operation?.responses, id).to.include.all.keys(statuses);
      }
    });

    it(`${path} has each route and its statuses, and nothing else`, () => {
      const described = Object.entries(pathsOf(path)).flatMap(([at, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${at}`),
      );
      const served = routes.map(
        (route) => `${route.id} ${route.method.toLowerCase()} ${describedPath(route)}`,
      );
      expect(described).to.have.members(served);
      for (const route of routes) {
        const operation = pathsOf(path)[describedPath(route)]?.[route.method.toLowerCase()];
        expect(Object.keys(operation?.responses ?? {}), route.id).to.include.members(
          Object.keys(route.answers),
        );
      }
    });

    it(`${path} has no value without a name`, () => {
      expect(JSON.stringify(documents.get(path))).not.to.match(/"enum":\[[^\]]*""/);
    });

    it(`${path} names the parameters of each path`, () => {
      for (const [at, methods] of Object.entries(pathsOf(path)))
        for (const { operationId, parameters } of Object.values(methods)) {
          const named = parameters.filter(({ in: place }) => place === 'path').map(({ name }) => `{${name}}`);
          expect(named, operationId).to.have.members(at.match(/\{\w+\}/g) ?? []);
        }
    });

    it(`${path} sums up each operation in whole words`, () => {
      for (const methods of Object.values(pathsOf(path)))
        for (const { operationId, summary } of Object.values(methods))
          expect(summary, operationId).to.match(/^[A-Z][a-z]+( [a-z0-9]{2,})*$/);
    });

    it(`${path} refers to nothing that it does not hold`, () => {
      const document = documents.get(path);
      const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
      for (const [, pointer = ''] of references) {
        const found = pointer
          .split('/')
          .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
        expect(found, pointer).to.be.an('object');
      }
    });
  }

  it('has the specification’s records by their names', () => {
    const { components } = documents.get('/api/v1/openapi.json') as unknown as OpenApi;
    expect(components.schemas).to.include.all.keys(
      `User PublicKey Organization Repository Team Hook Branch Status Issue Comment Label QuotaGroup QuotaRuleInfo
      CreateUserOption EditUserOption CreateRepoOption EditOrgOption CreateTeamOption CreateHookOption EditHookOption
      MigrateRepoForm AddCollaboratorOption CreateForkOption IssueLabelsOption CreateIssueOption MarkdownOption
      CreateQuotaGroupOptions CreateQuotaRuleOptions EditQuotaRuleOptions SetUserQuotaGroupsOptions`.split(
        /\s+/,
      ),
    );
  });

  it('says who must sign in, and by what', () => {
    const { paths } = openApi(routes);
    expect(paths['/version']?.get?.security).to.deep.include({});
    expect(paths['/user']?.get?.security).to.not.deep.include({});
    expect(paths['/users/{username}/tokens']?.post?.security).to.deep.equal([{ BasicAuth: [] }]);
  });

  it('says of what takes a moment that it may be none', () => {
    const operations = Object.values(openApi(routes).paths).flatMap((methods) => Object.values(methods));
    const ofMoments = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'as_of'));
    expect(ofMoments).to.have.length.greaterThan(15);
    for (const { operationId, responses } of ofMoments) expect(responses, operationId).to.include.keys('422');
  });

  it('requires the bodies that may not be missing', () => {
    const { paths } = openApi(routes);
    expect(paths['/markdown']?.post?.requestBody?.required).to.equal(true);
    expect(paths['/repos/{owner}/{repo}/issues']?.post?.requestBody?.required).to.equal(true);
    expect(paths['/repos/{owner}/{repo}/issues/{index}']?.patch?.requestBody).not.to.have.property(
      'required',
    );
  });

  it('takes null for every field of a text to render', () => {
    const { properties } = openApi(routes).components.schemas.MarkdownOption as {
      properties: Record<string, { type: string[] }>;
    };
    for (const [name, { type }] of Object.entries(properties)) expect(type, name).to.include('null');
  });

  it('has the media types of what is no JSON', () => {
    const { paths } = openApi(routes);
    const raw = paths['/markdown/raw']?.post;
    expect(Object.keys(raw?.requestBody?.content ?? {})).to.deep.equal(['text/plain']);
    expect(Object.keys(raw?.responses['200']?.content ?? {})).to.deep.equal(['text/html']);
    const archive = paths['/repos/{owner}/{repo}/archive/{filepath}']?.get;
    for (const status of ['200', '206'])
      expect(archive?.responses[status]?.content).to.have.all.keys(
        'application/zip',
        'application/gzip',
        'application/octet-stream',
      );
    const file = paths['/repos/{owner}/{repo}/raw/{filepath}']?.get;
    expect(file?.responses['200']?.content).to.deep.equal({
      '*/*': { schema: { type: 'string', format: 'binary' } },
    });
    expect(archive?.responses['404']?.content).to.have.all.keys('application/json');
    const commit = paths['/repos/{owner}/{repo}/git/commits/{sha}']?.get;
    expect(commit?.responses['200']?.content).to.have.all.keys('application/json', 'text/plain');
  });

  it('keeps 64-bit integers in both', () => {
    const document = openApi(routes);
    const limit = { type: 'integer', format: 'int64' };
    expect(document.components.schemas)
      .to.have.nested.property('CreateQuotaRuleOptions.properties.limit')
      .that.deep.equals(limit);
    expect(swagger(document))
      .to.have.nested.property('definitions.CreateQuotaRuleOptions.properties.limit')
      .that.deep.equals(limit);
  });

  it('has the numbers in the specification’s paths as integers in both', () => {
    const document = openApi(routes);
    const documents = [document.paths, swagger(document).paths as typeof document.paths];
    for (const paths of documents)
      for (const { id, method, path } of declared)
        for (const parameter of paths[path]?.[method.toLowerCase()]?.parameters ?? [])
          if (['id', 'index'].includes(parameter.name))
            expect({ ...parameter.schema, ...parameter }, id).to.include({
              type: 'integer',
              format: 'int64',
            });
  });

  it('has the 64-bit numbers in queries as integers in both', () => {
    const document = openApi(routes);
    const documents = [document.paths, swagger(document).paths as typeof document.paths];
    for (const paths of documents)
      for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods)))
        for (const parameter of operation.parameters) {
          const described: Readonly<Record<string, unknown>> = { ...parameter.schema, ...parameter };
          if (described.format === 'int64')
            expect(described.type, `${operation.operationId} ${parameter.name}`).to.equal('integer');
        }
  });

  it('tells times and ids from other text and numbers in both', () => {
    const document = openApi(routes);
    const { definitions } = swagger(document);
    for (const schemas of [document.components.schemas, definitions])
      expect(schemas).to.nested.include({ 'User.properties.created.format': 'date-time' });
    const closed = { type: 'string', format: 'date-time', 'x-nullable': true };
    const source = { type: 'integer', format: 'int64', 'x-nullable': true };
    expect(definitions).to.have.nested.property('Issue.properties.closed_at').that.deep.equals(closed);
    expect(definitions)
      .to.have.nested.property('CreateUserOption.properties.source_id')
      .that.deep.equals(source);
  });

  it('says how long texts may be, in both', () => {
    const document = openApi(routes);
    const filter = 'CreateHookOption.properties.branch_filter';
    expect(document.components.schemas).to.nested.include({ [`${filter}.maxLength`]: 255 });
    expect(swagger(document).definitions).to.nested.include({ [`${filter}.maxLength`]: 255 });
  });

  it('says that a rule of a new quota group needs a name, in both', () => {
    const document = openApi(routes);
    const rule = { required: ['name'], properties: { name: { type: 'string', minLength: 1 } } };
    const { components } = document;
    expect(components.schemas.CreateQuotaGroupOptions)
      .to.have.nested.property('properties.rules.items')
      .that.containSubset(rule);
    expect(swagger(document).definitions)
      .to.have.nested.property('CreateQuotaGroupOptions.properties.rules.items')
      .that.containSubset(rule);
  });

  it('says of each field that may be null what it is besides, by a name if it is an object', () => {
    const { components, paths } = openApi(routes);
    const inner = (value: unknown): readonly object[] =>
      typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(inner)] : [];
    const schemas: readonly { anyOf?: unknown; oneOf?: unknown; type?: unknown; properties?: unknown }[] =
      inner([components, paths]);
    const { Issue, EditRepoOption } = components.schemas;
    expect(Issue).to.nested.include({ 'properties.closed_at.type[0]': 'string' });
    expect(Issue).to.nested.include({ 'properties.closed_at.format': 'date-time' });
    const style = 'properties.default_merge_style';
    expect(EditRepoOption).to.have.nested.property(`${style}.oneOf[0].enum`).that.includes('squash');
    expect(JSON.stringify(schemas.map(({ anyOf }) => anyOf))).to.not.include('"null"');
    for (const { type, properties } of schemas)
      if (Array.isArray(type)) expect(properties, JSON.stringify(properties)).to.equal(undefined);
    const choices = schemas.map(({ oneOf }) => oneOf).filter((oneOf) => oneOf !== undefined);
    expect(choices.length).to.be.greaterThan(20);
    for (const choice of choices) {
      expect(choice).to.have.nested.property('[1]').that.deep.equals({ type: 'null' });
      expect(choice, JSON.stringify(choice)).to.not.have.nested.property('[0].properties');
    }
  });

  it('says which headers come with pages, and with names that were given up', () => {
    const document = openApi(routes);
    const hooks = document.paths['/repos/{owner}/{repo}/hooks']?.get;
    expect(hooks?.responses['200']?.headers?.['X-Total-Count']?.schema).to.include({ type: 'integer' });
    expect(hooks?.responses['307']?.headers?.Location?.schema).to.include({ type: 'string' });
    expect(document.paths['/user']?.get?.responses['200']).to.not.have.property('headers');
    const { paths } = swagger(document) as { paths: Record<string, { get: object }> };
    expect(paths['/repos/{owner}/{repo}/hooks']?.get).to.nested.include({
      'responses.200.headers.X-Total-Count.type': 'integer',
    });
  });

  it('has patterns that fit what is taken', () => {
    const { CreateHookOption } = openApi(routes).components.schemas;
    const isSystem = 'properties.config.properties.is_system_webhook.pattern';
    expect(CreateHookOption)
      .to.have.nested.property(isSystem)
      .that.satisfies((pattern: string) =>
        ['true', 'True', 'F'].every((word) => new RegExp(pattern).test(word)),
      );
  });

  it('is not sent again to who has it', async () => {
    const url = `${api.url()}/api/v1/openapi.json`;
    const first = await request(url);
    await first.body.text();
    const again = await request(url, { headers: { 'if-none-match': String(first.headers.etag) } });
    expect([again.statusCode, await again.body.text()]).to.deep.equal([304, '']);
  });
});
