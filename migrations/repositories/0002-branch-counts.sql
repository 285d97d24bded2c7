-- How many of its refs are branches: counting thousands takes longer than reading a page of them.
create table branch_counts (
  repository_id int8 primary key,
  branches int8 not null
);
