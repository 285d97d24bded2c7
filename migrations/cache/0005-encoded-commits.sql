-- Some of them name an encoding, and were read as if they were UTF-8: they are read from git again.
delete from cache.commits
where position(chr(65533) in facts::text) > 0 or position('\u001b' in facts::text) > 0;
