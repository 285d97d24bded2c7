-- The labels of every organization; two of them may have one name.
create table organization_labels (
  organization_id int8 not null,
  id int8 not null,
  name text collate "C" not null,
  lower_name text collate "C" not null,
  color text not null,
  description text not null,
  exclusive boolean not null,
  is_archived boolean not null,
  primary key (organization_id, id)
);
create index organization_labels_by_name on organization_labels (organization_id, lower_name, id);
