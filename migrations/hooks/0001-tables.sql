-- Hooks of repositories, of organizations, and of the whole server (owner 0).
create table hooks (
  id int8 primary key,
  scope text collate "C" not null,
  owner_id int8 not null,
  type text collate "C" not null,
  url text not null,
  content_type text collate "C" not null,
  events text[] not null,
  branch_filter text not null,
  is_active boolean not null,
  -- Where in the log it was created: what happened before is not told to it.
  created_position int8 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index hooks_by_place on hooks (scope, owner_id, id);
