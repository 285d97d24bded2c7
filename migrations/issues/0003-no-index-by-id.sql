-- Nothing looks for an issue by its id, and each comment wrote an entry.
drop index issues_by_id;
