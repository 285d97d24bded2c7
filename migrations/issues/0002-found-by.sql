-- What somebody wrote, when the account is purged or erased.
create index issue_comments_by_author on issue_comments (author_id);

-- What is found in all repositories at once.
create index labels_by_name_anywhere on labels (lower_name);
create index milestones_by_title_anywhere on milestones (lower_title);
create index milestones_by_id on milestones (id);
drop index issues_by_milestone;
create index issues_by_milestone on issues (milestone_id, repository_id, number desc) where milestone_id is not null;
