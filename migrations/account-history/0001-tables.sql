-- One row for each change to a user, an organization or its teams: what it was, what it became, who did it and when.
create table account_changes (
  position int8 primary key,
  event_id uuid not null,
  type text not null,
  recorded_at timestamptz not null,
  actor_id int8,
  actor_name text,
  request_id text,
  account_ids int8[] not null,
  before text,
  after text
);
create index account_changes_by_account on account_changes using gin (account_ids);
create index account_changes_by_actor on account_changes (actor_id, position);
create index account_changes_by_time on account_changes (recorded_at);
