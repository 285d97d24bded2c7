-- What was reported about commits; of one context the highest id counts.
create table commit_statuses (
  repository_id int8 not null,
  sha text collate "C" not null,
  id int8 not null,
  state text not null,
  context text not null,
  description text not null,
  target_url text not null,
  creator_id int8 not null,
  created_at timestamptz not null,
  primary key (repository_id, sha, id)
);
create index commit_statuses_by_context on commit_statuses (repository_id, sha, context, id desc);
