-- As it was, but it waits for an append under way, which may be recorded at or before the time: for a time that is past
-- the answer never changes. So it is volatile, to see what was committed meanwhile.
create or replace function events.position_at(moment timestamptz) returns bigint language plpgsql volatile as $$
declare
  low  bigint := 0; -- recorded at or before
  high bigint; -- recorded later, or not at all
  middle bigint;
begin
  perform from events.head where recorded_at <= moment for share;
  high := (select position + 1 from events.head);
  while high - low > 1 loop
    middle := (low + high) / 2;
    if (select recorded_at <= moment from events.log where position = middle) then low := middle;
    else high := middle;
    end if;
  end loop;
  return nullif(low, 0);
end $$;
