-- Issues that the messages of commits close.
create schema issue_references;

-- How far the log has been followed; it moves once the issues are closed.
create table issue_references.checkpoint (position int8 not null, recorded_at timestamptz not null);
create unique index on issue_references.checkpoint ((true));
insert into issue_references.checkpoint values (-1, 'epoch');
