-- Their times have offsets such as +00:90, which are none: they are read from git again.
delete from cache.commits
where facts #>> '{author,at}' ~ ':[6-9][0-9]$' or facts #>> '{committer,at}' ~ ':[6-9][0-9]$';
