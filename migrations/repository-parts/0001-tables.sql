-- What hangs on the repositories of today.
create table repository_topics (
  repository_id int8 not null,
  topic text collate "C" not null,
  added_at timestamptz not null,
  primary key (repository_id, topic)
);
create index repository_topics_by_topic on repository_topics (topic, repository_id);

create table deploy_keys (
  repository_id int8 not null,
  id int8 not null,
  title text not null,
  key text not null,
  fingerprint text not null,
  read_only boolean not null,
  created_at timestamptz not null,
  primary key (repository_id, id)
);
create index deploy_keys_by_fingerprint on deploy_keys (fingerprint);

create table branch_protections (
  repository_id int8 not null,
  rule_name text collate "C" not null,
  -- In the log: which rule is older.
  position int8 not null,
  rule jsonb not null,
  primary key (repository_id, rule_name)
);

create table repository_transfers (
  repository_id int8 primary key,
  requester_id int8 not null,
  recipient_id int8 not null,
  team_ids int8[] not null
);
create index repository_transfers_by_recipient on repository_transfers (recipient_id);
