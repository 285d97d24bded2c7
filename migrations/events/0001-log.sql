-- The event log, where no EventStoreDB is configured. Nothing in it is ever changed or removed.

create schema events;

create table events.log (
  position    bigint      primary key,
  stream      text        not null collate "C", -- compared byte by byte, whatever the database's language
  revision    bigint      not null,
  id          uuid        not null,
  type        text        not null,
  data        json        not null, -- json, not jsonb: what was written is given back character by character
  metadata    json        not null,
  bytes       integer     not null, -- of data and metadata; readers bound a page's size by it
  recorded_at timestamptz not null, -- whole milliseconds, never earlier than the event before
  constraint log_stream_revision unique (stream, revision),
  constraint log_id unique (id)
);

-- The last position given. Its row lock, held until commit, makes positions gapless and lets them become visible in
-- their own order: whoever has seen position 7 will never see a 6 appear.
create table events.head (
  only_row    boolean     primary key default true check (only_row),
  position    bigint      not null,
  recorded_at timestamptz not null
) with (fillfactor = 10);

insert into events.head (position, recorded_at) values (0, '-infinity');

create function events.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the event log is append-only: % refused', lower(tg_op) using errcode = 'restrict_violation';
end $$;

create trigger append_only before update or delete or truncate on events.log
  for each statement execute function events.refuse_change();

create trigger always_one_row before delete or truncate on events.head
  for each statement execute function events.refuse_change();

-- Appends a group: each append writes all of its events or none, and a refused one leaves the others alone.
-- Appends count from 1 and go to different streams; an expected revision of -1 means that the stream must not exist.
-- Each event tells which append owns it and its place in there, from 1; events come in the order of the appends.
-- Answers one row for each append, in order: the last revision and position it wrote, or wrote earlier where the
-- same ids stand at the same place already; where it is refused, the stream's revision and no position.
-- To be called in a statement of its own, since the head stays locked until the transaction ends. An id that stands
-- elsewhere in the log fails the whole group as unique_violation.
create function events.append(
  streams text[], expected bigint[], counts integer[],
  owners integer[], places integer[], ids uuid[], types text[], data json[], metadata json[], bytes integer[]
) returns table (revision bigint, "position" bigint) language plpgsql
set plan_cache_mode = force_generic_plan -- planning costs as much as appending
set enable_seqscan = off -- the plan may be made while the log is small
as $$
#variable_conflict use_column
declare
  head events.head;
  actual bigint[]; -- the revision of each append's stream
  base bigint[]; -- the position before each append; null where it is refused
  written bigint;
begin
  select * into strict head from events.head for update;
  head.recorded_at := greatest(head.recorded_at, date_trunc('milliseconds', clock_timestamp()));

  select
    array_agg(actual order by nth),
    array_agg(case when actual = expected then head.position + taken - count end order by nth)
  into actual, base
  from (
    select found.*, sum(count) filter (where actual = expected) over (order by nth) as taken
    from (
      select a.*, coalesce((
        select l.revision from events.log l where l.stream = a.stream order by l.revision desc limit 1
      ), -1) as actual
      from unnest(streams, expected, counts) with ordinality a (stream, expected, count, nth)
    ) found
  ) checked;

  insert into events.log (position, stream, revision, id, type, data, metadata, bytes, recorded_at)
  select
    base[owner] + place, streams[owner], expected[owner] + place,
    id, type, data, metadata, bytes, head.recorded_at
  from unnest(owners, places, ids, types, data, metadata, bytes) e (owner, place, id, type, data, metadata, bytes)
  where base[owner] is not null;

  get diagnostics written = row_count;
  update events.head set position = head.position + written, recorded_at = head.recorded_at where written > 0;

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

-- The position of the last event of an append whose events all stand in the stream behind the expected revision
-- already; else null. Parameters as of `events.append`.
create function events.position_of_run(
  stream text, expected bigint, append bigint, owners integer[], places integer[], ids uuid[]
) returns bigint language sql stable as $$
  select case when count(*) = count(l.id) then max(l.position) end
  from unnest(owners, places, ids) run (owner, place, id)
  left join events.log l on l.id = run.id and l.stream = $1 and l.revision = expected + run.place
  where run.owner = append
$$;

-- The position of the last event recorded at or before a time; null where there is none. Neither positions nor times
-- ever go back and no position is missing, so that halving finds it without an index.
create function events.position_at(moment timestamptz) returns bigint language plpgsql stable as $$
declare
  low  bigint := 0; -- recorded at or before
  high bigint := (select position + 1 from events.head); -- recorded later, or not at all
  middle bigint;
begin
  while high - low > 1 loop
    middle := (low + high) / 2;
    if (select recorded_at <= moment from events.log where position = middle) then low := middle;
    else high := middle;
    end if;
  end loop;
  return nullif(low, 0);
end $$;
