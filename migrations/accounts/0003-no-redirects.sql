-- The history of accounts tells who had a name last. This table told of names by who took them, which nobody knows any
-- more once that one is erased: built anew it was another.
drop table account_redirects;
