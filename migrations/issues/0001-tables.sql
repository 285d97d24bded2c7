-- The issues of every repository, each named by its index there.
create table issues (
  repository_id int8 not null,
  number int8 not null,
  id int8 not null,
  poster_id int8 not null,
  ref text not null,
  milestone_id int8,
  due_at timestamptz,
  is_closed boolean not null,
  closed_at timestamptz,
  comments int8 not null,
  revision int8 not null, -- of the issue's stream
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (repository_id, number)
);
create index issues_by_state on issues (repository_id, is_closed, number desc);
create index issues_by_update on issues (repository_id, updated_at);
create index issues_by_milestone on issues (milestone_id, repository_id, number desc) where milestone_id is not null;
create index issues_by_poster on issues (poster_id, repository_id, number desc);
create index issues_by_id on issues (id);

-- Apart from what changes with each comment, so that a comment does not have all words indexed again.
create table issue_texts (
  repository_id int8 not null,
  number int8 not null,
  poster_id int8 not null,
  title text not null,
  body text not null,
  primary key (repository_id, number)
);
create index issue_texts_by_poster on issue_texts (poster_id); -- when an account is erased
create extension if not exists pg_trgm with schema public;
create index issue_texts_by_words on issue_texts using gin (lower(title || ' ' || body) public.gin_trgm_ops);

create table issue_labels (
  repository_id int8 not null,
  number int8 not null,
  label_id int8 not null,
  primary key (repository_id, number, label_id)
);
create index issue_labels_by_label on issue_labels (label_id, repository_id, number desc);

create table issue_assignees (
  repository_id int8 not null,
  number int8 not null,
  account_id int8 not null,
  place int8 not null,
  primary key (repository_id, number, account_id)
);
create index issue_assignees_by_account on issue_assignees (account_id, repository_id, number desc);

create table issue_comments (
  id int8 not null,
  repository_id int8 not null,
  number int8 not null,
  author_id int8 not null,
  body text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (repository_id, number, id)
);
create index issue_comments_by_id on issue_comments (repository_id, id);
create index issue_comments_by_creation on issue_comments (repository_id, created_at, id);
create index issue_comments_by_author on issue_comments (author_id); -- what somebody wrote, when the account is purged or erased
create index issue_comments_by_update on issue_comments (repository_id, updated_at, id);
create index issue_comments_by_words on issue_comments using gin (lower(body) public.gin_trgm_ops);

-- How many there are, and the highest index ever given.
create table issue_counts (
  repository_id int8 not null,
  last_number int8 not null,
  open int8 not null,
  closed int8 not null,
  primary key (repository_id)
);

create table labels (
  repository_id int8 not null,
  id int8 not null,
  name text collate "C" not null,
  lower_name text collate "C" not null,
  color text not null,
  description text not null,
  exclusive boolean not null,
  is_archived boolean not null,
  primary key (repository_id, id)
);
create index labels_by_name on labels (repository_id, lower_name, id);
create index labels_by_name_anywhere on labels (lower_name);

create table milestones (
  repository_id int8 not null,
  id int8 not null,
  title text collate "C" not null,
  lower_title text collate "C" not null,
  description text not null,
  is_closed boolean not null,
  closed_at timestamptz,
  due_at timestamptz,
  open_issues int8 not null,
  closed_issues int8 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (repository_id, id)
);
create index milestones_by_due on milestones (repository_id, due_at, lower_title, id);
create index milestones_by_id on milestones (id);
create index milestones_by_title_anywhere on milestones (lower_title);
