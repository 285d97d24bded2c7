-- States of aggregates whose streams grow. Losing this table costs time, nothing else.
create table cache.snapshots (
  stream   text    primary key,
  version  integer not null,
  revision bigint  not null,
  event_id uuid    not null,
  state    json    not null
);
