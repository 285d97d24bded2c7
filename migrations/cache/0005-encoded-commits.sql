-- Some of them name an encoding, and were read as if they were UTF-8: what is more than ASCII is read from git again.
delete from cache.commits
where octet_length(facts::text) > length(facts::text) or position('\u001b' in facts::text) > 0;
