-- Forgetting persons: what follows from the order to do so.
create schema erasures;

-- How far the log has been followed; it moves once nothing is left of whom it names.
create table erasures.checkpoint (position int8 not null, recorded_at timestamptz not null);
create unique index on erasures.checkpoint ((true));
insert into erasures.checkpoint values (-1, 'epoch');
