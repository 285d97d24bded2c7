-- Places in a log of EventStoreDB, from which a moment that is given as a time is searched for: the position of an event,
-- and the latest time that any event up to there was recorded. Losing this table costs time, nothing else.
create table cache.marks (
  position    bigint      primary key,
  recorded_at timestamptz not null
);
create index marks_by_time on cache.marks (recorded_at, position);
