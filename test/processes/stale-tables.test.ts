import { expect } from 'chai';
import { schemaOf } from '../../projections/projection.js';
import { projections } from '../../projections/registry.js';
import { quota } from '../../projections/quota/quota.js';
import { runProgram, until } from '../support/process.js';
import { startApi, type TestApi } from '../support/api.js';
import { Service } from '../support/processes/service.js';

/** As an earlier release would have made it. */
const EARLIER = schemaOf({ ...quota, version: 0 });
/** As a rebuild of that release would have left it when it was killed. */
const UNFINISHED = `${EARLIER}__next`;

describe('tables of another version than the projector has', () => {
  let site: TestApi;
  before(async () => {
    site = await startApi();
    for (const schema of [EARLIER, UNFINISHED]) await site.connections.db.rows(`create schema "${schema}"`);
  });
  after(() => site.stop());

  const schemas = async () => {
    const names = projections.map(({ name }) => name.replaceAll('-', '_'));
    const rows = await site.connections.db.rows<{ name: string }>(
      `select nspname::text as name from pg_namespace where nspname ~ '^(${names.join('|')})_v' order by 1`,
    );
    return rows.map(({ name }) => name);
  };

  it('are told of as it starts, serve until somebody drops them, and nothing else is dropped', async () => {
    const projector = await Service.start('projector', site.environment);
    await until(() => /stale tables are kept.*\n/.test(projector.output()));
    const line = projector
      .output()
      .split('\n')
      .find((text) => text.includes('stale tables are kept'));
    expect(JSON.parse(line ?? '')).to.deep.include({ level: 40, schema: schemaOf(quota), stale: [EARLIER] });
    await projector.kill();
    expect(await schemas()).to.include.members([EARLIER, ...projections.map(schemaOf)]);

    const drop = runProgram('projections/rebuild/main.js', ['--all', '--drop-old'], site.environment);
    expect(await drop.ended(), drop.output()).to.deep.include({ code: 0 });
    expect(drop.output()).to.equal(`dropped ${EARLIER}\ndropped ${UNFINISHED}\n`);
    expect(await schemas()).to.have.members(projections.map(schemaOf));
  });
});
