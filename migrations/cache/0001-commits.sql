-- What commits say of themselves, by hash. They cannot change: losing this table costs time, nothing else.
create schema if not exists cache;

create table cache.commits (
  hash  bytea primary key check (length(hash) = 20),
  facts jsonb not null
);
