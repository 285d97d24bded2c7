import type { QuotaGroup } from '../../domain/quota/evaluation.js';
import type { QuotaStanding } from '../../queries/quota/quota-standing.js';

/** QuotaInfo: what is used, and the account's groups or else the default ones; names only where administrators look. */
export function presentQuotaInfo(
  { usage, own, defaults }: QuotaStanding,
  names: 'with names' | 'without names',
) {
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
    groups: names === 'with names' ? groups : groups.map(withoutNames),
  };
}

const withoutNames = ({ rules }: QuotaGroup) => ({
  rules: rules.map(({ limit, subjects }) => ({ limit, subjects })),
});
