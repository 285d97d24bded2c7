/** Which folder may import which: the way of a request through the tree, in one direction. */
const outside = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: {
    pathNot: [...allowed, from, '^node_modules', '^node:', '^[a-z_/]+$'],
    dependencyTypesNot: ['core', 'npm', 'npm-dev'],
  },
});

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    outside(
      'domain-is-pure',
      '^src/domain',
      ['^src/values/json\\.ts$'],
      'Rules know nothing but themselves.',
    ),
    {
      name: 'domain-needs-pure-packages-only',
      severity: 'error',
      from: { path: '^src/domain' },
      to: { dependencyTypes: ['npm', 'core'], pathNot: 'node_modules/(immutable|validator)/' },
    },
    outside(
      'queries-read-rows',
      '^src/queries',
      ['^src/domain', '^src/database', '^src/values/json\\.ts$'],
      'Queries never meet the event store.',
    ),
    {
      name: 'projections-take-event-types-only',
      severity: 'error',
      from: { path: '^projections/', pathNot: '^projections/(engine|rebuild|main\\.ts|registry\\.ts)' },
      to: { path: '^src', pathNot: ['^src/domain', '^src/values/(defined|json)\\.ts$'] },
    },
    {
      name: 'event-store-is-a-port',
      severity: 'error',
      from: { path: '^src/event-store' },
      to: {
        path: '^(src|projections)',
        pathNot: ['^src/event-store', '^src/values/json\\.ts$', '^src/(concurrency|database)/'],
      },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { pathNot: '^(test|bench)' },
      to: { path: '^(test|bench)' },
    },
    {
      name: 'http-is-the-edge',
      severity: 'error',
      from: { path: '^src/(commands|domain|queries|event-store|event-log|vault)' },
      to: { path: '^src/http' },
    },
    {
      name: 'no-unlisted-package',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
