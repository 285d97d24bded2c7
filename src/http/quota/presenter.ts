import type { QuotaGroup } from '../../domain/quota/evaluation.js';
import type { Usage } from '../../domain/quota/subjects.js';

interface Standing {
  readonly usage: Usage;
  readonly own: readonly QuotaGroup[];
  readonly defaults: { readonly groups: readonly QuotaGroup[] };
}

/** Presents a QuotaInfo: the usage, and the account's groups or else the default ones. Only administrators get names. */
export function presentQuotaInfo({ usage, own, defaults }: Standing, names: 'with names' | 'without names') {
  const groups = own.length > 0 ? own : defaults.groups;
  return {
    used: {
      size: {
        repos: { public: usage['size:repos:public'] ?? 0n, private: usage['size:repos:private'] ?? 0n },
        git: { LFS: usage['size:git:lfs'] ?? 0n },
        assets: {
          attachments: {
            issues: usage['size:assets:attachments:issues'] ?? 0n,
            releases: usage['size:assets:attachments:releases'] ?? 0n,
          },
          artifacts: usage['size:assets:artifacts'] ?? 0n,
          packages: { all: usage['size:assets:packages:all'] ?? 0n },
        },
      },
    },
    groups: groups.map(names === 'with names' ? withNames : withoutNames),
  };
}

const withNames = ({ name, rules }: QuotaGroup) => ({
  name,
  rules: rules.map(({ name, limit, subjects }) => ({ name, limit, subjects })),
});

const withoutNames = ({ rules }: QuotaGroup) => ({
  rules: rules.map(({ limit, subjects }) => ({ limit, subjects })),
});
