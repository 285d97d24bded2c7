-- When somebody last asked: what nobody has asked for in a month is dropped.
alter table cache.commits add column used_on date not null default current_date;
create index commits_by_use on cache.commits (used_on);

alter table cache.snapshots add column used_on date not null default current_date;
create index snapshots_by_use on cache.snapshots (used_on);

-- For which repository a commit was read first: what is left of repositories that are gone goes with an erasure.
alter table cache.commits add column repository_id int8;
