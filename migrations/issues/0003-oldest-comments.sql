-- What a repository's comments are listed by.
create index issue_comments_by_creation on issue_comments (repository_id, created_at, id);
