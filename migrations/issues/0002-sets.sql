-- Which issues carry a label, and which are closed or deleted, as bits: of 2,048 numbers in a row the highest comes first.
create table issue_sets (
  repository_id int8 not null,
  name text collate "C" not null,
  block int8 not null, -- a number's 2,048th
  members bit(2048) not null,
  primary key (repository_id, name, block)
);
create index issue_sets_by_name on issue_sets (name); -- when a label is deleted
