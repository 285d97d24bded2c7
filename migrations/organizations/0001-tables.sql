-- The teams of every organization, who is in them, and who is thereby a member. Organizations are rows of accounts.
create table teams (
  organization_id int8 not null,
  id int8 not null,
  name text not null,
  lower_name text collate "C" not null,
  description text not null,
  permission text not null,
  units jsonb not null,
  includes_all_repositories boolean not null,
  can_create_repositories boolean not null,
  primary key (organization_id, id)
);
create index teams_by_id on teams (id);
create index teams_by_name on teams (organization_id, lower_name);

create table team_members (
  organization_id int8 not null,
  team_id int8 not null,
  account_id int8 not null,
  primary key (organization_id, team_id, account_id)
);
create index team_members_by_account on team_members (account_id, organization_id, team_id);
create index team_members_by_team on team_members (team_id, account_id);

create table organization_members (
  organization_id int8 not null,
  account_id int8 not null,
  is_public boolean not null,
  primary key (organization_id, account_id)
);
create index organization_members_by_account on organization_members (account_id, organization_id);
