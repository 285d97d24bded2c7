-- The repositories of today; their owners are rows of accounts.
create table repositories (
  id int8 primary key,
  owner_id int8 not null,
  name text not null,
  lower_name text collate "C" not null,
  description text not null,
  website text not null,
  is_private boolean not null,
  is_template boolean not null,
  is_empty boolean not null,
  -- Null while it is not archived.
  archived_at timestamptz,
  -- Null for what is no mirror.
  mirror jsonb,
  mirrored_at timestamptz,
  -- When it was last tried.
  pulled_at timestamptz,
  -- The repository that it was forked from, as long as that exists.
  base_id int8,
  original_url text not null,
  default_branch text not null,
  size_bytes int8 not null,
  -- Of which it has most, empty where there is none; bytes by language, and of which commit. Null before the first.
  language text not null,
  languages jsonb,
  languages_of text,
  object_format text not null,
  trust_model text not null,
  units text[] not null,
  internal_tracker jsonb not null,
  external_tracker jsonb,
  external_wiki_url text,
  wiki_branch text not null,
  globally_editable_wiki boolean not null,
  ignore_whitespace_conflicts boolean not null,
  allow_merge_commits boolean not null,
  allow_rebase boolean not null,
  allow_rebase_explicit boolean not null,
  allow_squash_merge boolean not null,
  allow_fast_forward_only_merge boolean not null,
  allow_manual_merge boolean not null,
  autodetect_manual_merge boolean not null,
  allow_rebase_update boolean not null,
  default_delete_branch_after_merge boolean not null,
  default_merge_style text not null,
  default_allow_maintainer_edit boolean not null,
  topics text[] not null,
  -- The topics, one a line, for searches by any part of one.
  topic_text text collate "C" not null,
  stars int8 not null,
  forks int8 not null,
  open_issues int8 not null,
  open_pulls int8 not null,
  releases int8 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index repositories_by_owner on repositories (owner_id, lower_name);
create index repositories_by_base on repositories (base_id) where base_id is not null;
create index repositories_by_name on repositories (lower_name, id);
create index repositories_by_creation on repositories (created_at, id);
create index repositories_by_update on repositories (updated_at, id);
create index repositories_by_size on repositories (size_bytes, id);
create index repositories_by_forks on repositories (forks, id);
create index repositories_by_pull on repositories (pulled_at, id) where mirror is not null;
create index repositories_by_topic on repositories using gin (topics);

-- For searches by any part of a name, a topic or a description.
create extension if not exists pg_trgm with schema public;
create index repositories_by_fragment on repositories
  using gin ((lower_name || E'\n' || topic_text) public.gin_trgm_ops);
create index repositories_by_description on repositories using gin (lower(description) public.gin_trgm_ops);

-- Names that repositories had before, and nobody has taken since.
create table repository_redirects (
  repository_id int8 not null,
  owner_id int8 not null,
  lower_name text collate "C" not null,
  primary key (repository_id, owner_id, lower_name)
);
create index repository_redirects_by_name on repository_redirects (owner_id, lower_name);

-- The names that are claimed, before the repository exists and as long as it does.
create table repository_claims (
  owner_id int8 not null,
  lower_name text collate "C" not null,
  repository_id int8 not null,
  primary key (owner_id, lower_name)
);

-- Where every branch, tag and other ref points to.
create table refs (
  repository_id int8 not null,
  name text collate "C" not null,
  kind text not null check (kind in ('branch', 'tag', 'other')),
  -- A branch or a tag without `refs/heads/` or `refs/tags/`; other refs in full.
  short_name text collate "C" not null,
  hash text not null,
  -- Of the commit that it points to; null where it points to none.
  committed_at timestamptz,
  primary key (repository_id, name)
);
create index refs_by_age on refs (repository_id, kind, committed_at desc nulls last, short_name);
