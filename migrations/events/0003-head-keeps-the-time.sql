-- As it was, but the head keeps the time of the last event. It had kept the one it had, that of an empty log, so that
-- times went back with the clock.
create or replace function events.append(
  streams text[], expected bigint[], counts integer[],
  owners integer[], places integer[], ids uuid[], types text[], data json[], metadata json[], bytes integer[]
) returns table (revision bigint, "position" bigint) language plpgsql
set plan_cache_mode = force_generic_plan -- planning costs as much as appending
set enable_seqscan = off -- the plan may be made while the log is small
as $$
#variable_conflict use_column
declare
  last events.head; -- `head` would mean the columns where the table is at hand
  actual bigint[]; -- the revision of each append's stream
  base bigint[]; -- the position before each append; null where it is refused
  written bigint;
begin
  select * into strict last from events.head for update;
  last.recorded_at := greatest(last.recorded_at, date_trunc('milliseconds', clock_timestamp()));

  with found as materialized (
    select a.*, coalesce((
      select l.revision from events.log l where l.stream = a.stream order by l.revision desc limit 1
    ), -1) as actual
    from unnest(streams, expected, counts) with ordinality a (stream, expected, count, nth)
  )
  select
    array_agg(actual order by nth),
    array_agg(case when actual = expected then last.position + taken - count end order by nth)
  into actual, base
  from (
    select *, sum(count) filter (where actual = expected) over (order by nth) as taken from found
  ) checked;

  insert into events.log (position, stream, revision, id, type, data, metadata, bytes, recorded_at)
  select
    base[owner] + place, streams[owner], expected[owner] + place,
    id, type, data, metadata, bytes, last.recorded_at
  from unnest(owners, places, ids, types, data, metadata, bytes) e (owner, place, id, type, data, metadata, bytes)
  where base[owner] is not null;

  get diagnostics written = row_count;
  update events.head set position = last.position + written, recorded_at = last.recorded_at where written > 0;

  return query
  select case when place is null then actual else expected + count end, place
  from (
    select a.*, case
      when base is not null then base + count
      when actual >= expected + count then events.position_of_run(streams[nth], expected, nth, owners, places, ids)
    end as place
    from unnest(expected, counts, actual, base) with ordinality a (expected, count, actual, base, nth)
  ) answers
  order by nth;
end $$;

-- Reads the whole log once, because the last event need not be the latest.
update events.head set recorded_at = coalesce((select max(recorded_at) from events.log), recorded_at);
