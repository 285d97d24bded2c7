-- What repositories are written in.
create schema languages;

-- How far the log has been followed; it moves once the languages are recorded.
create table languages.checkpoint (position int8 not null, recorded_at timestamptz not null);
create unique index on languages.checkpoint ((true));
insert into languages.checkpoint values (-1, 'epoch');
