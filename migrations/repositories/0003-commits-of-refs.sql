-- The commit that a branch or tag leads to; null for other refs, for tags of trees and files, and for tags whose event
-- does not say it.
alter table refs add column commit_hash text;
create index refs_by_commit on refs (repository_id, commit_hash);
