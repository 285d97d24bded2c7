-- How far the log was read behind a mark without finding another event of ours; not at all where it is null. So the events
-- of other programs in the same log are read once, however many there are.
alter table cache.marks add column read_to bigint;
