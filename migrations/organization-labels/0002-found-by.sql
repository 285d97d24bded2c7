-- What is found in all organizations at once.
create index organization_labels_by_name_anywhere on organization_labels (lower_name);
