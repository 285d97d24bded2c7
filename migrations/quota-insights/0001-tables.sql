-- Who was refused storage: a row for each account, minute (since 1970) and subject, with its history.
create table quota_refusals (
  account_id int8 not null,
  subject text not null,
  minute int8 not null,
  count int8 not null,
  actor_id int8,
  "group" text not null,
  rule text not null,
  "limit" int8 not null,
  used int8 not null,
  incoming int8,
  decided_position int8 not null,
  position int8 not null,
  valid_from int8 not null,
  valid_until int8 not null,
  primary key (account_id, minute, subject, valid_until)
);
create index quota_refusals_by_minute on quota_refusals (minute desc, account_id, subject);

-- Each time that what an account stores reached a threshold of a limit.
create table quota_thresholds (
  position int8 primary key,
  event_id uuid not null,
  reached_at timestamptz not null,
  account_id int8 not null,
  "group" text not null,
  rule text not null,
  subjects text[] not null,
  "limit" int8 not null,
  used int8 not null,
  percent int8 not null
);
create index quota_thresholds_by_account on quota_thresholds (account_id, position);

-- What an account stored at the end of each hour (hours since 1970) in which that changed.
create table quota_usage_hours (
  account_id int8 not null,
  subject text not null,
  hour int8 not null,
  bytes int8 not null,
  primary key (account_id, subject, hour)
);

-- What each account stores now, with the sums that accounts are ranked by.
create table quota_usage_now (
  account_id int8 primary key,
  repos_public int8 not null,
  repos_private int8 not null,
  git_lfs int8 not null,
  attachments_issues int8 not null,
  attachments_releases int8 not null,
  artifacts int8 not null,
  packages int8 not null,
  repos_all int8 not null generated always as (repos_public + repos_private) stored,
  git_all int8 not null generated always as (repos_public + repos_private + git_lfs) stored,
  attachments_all int8 not null generated always as (attachments_issues + attachments_releases) stored,
  assets_all int8 not null generated always as (
    attachments_issues + attachments_releases + artifacts + packages) stored,
  everything int8 not null generated always as (
    repos_public + repos_private + git_lfs + attachments_issues + attachments_releases + artifacts + packages) stored
);
create index quota_usage_now_everything on quota_usage_now (everything desc, account_id) where everything > 0;
create index quota_usage_now_git_all on quota_usage_now (git_all desc, account_id) where git_all > 0;
create index quota_usage_now_repos_all on quota_usage_now (repos_all desc, account_id) where repos_all > 0;
create index quota_usage_now_repos_public on quota_usage_now (repos_public desc, account_id) where repos_public > 0;
create index quota_usage_now_repos_private on quota_usage_now (repos_private desc, account_id) where repos_private > 0;
create index quota_usage_now_git_lfs on quota_usage_now (git_lfs desc, account_id) where git_lfs > 0;
create index quota_usage_now_assets_all on quota_usage_now (assets_all desc, account_id) where assets_all > 0;
create index quota_usage_now_attachments_all on quota_usage_now (attachments_all desc, account_id)
  where attachments_all > 0;
create index quota_usage_now_attachments_issues on quota_usage_now (attachments_issues desc, account_id)
  where attachments_issues > 0;
create index quota_usage_now_attachments_releases on quota_usage_now (attachments_releases desc, account_id)
  where attachments_releases > 0;
create index quota_usage_now_artifacts on quota_usage_now (artifacts desc, account_id) where artifacts > 0;
create index quota_usage_now_packages on quota_usage_now (packages desc, account_id) where packages > 0;
