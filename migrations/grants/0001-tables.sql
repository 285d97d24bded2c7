-- Who may do what: 0 is membership alone, or at a team's repository whatever the team may do now, 1 reading, 2 writing, 3 administration, 4 ownership.
create table grants (
  principal_kind text not null,
  principal_id int8 not null,
  object_kind text not null,
  object_id int8 not null,
  level int2 not null,
  primary key (principal_kind, principal_id, object_kind, object_id)
);
create index grants_by_object on grants (object_kind, object_id, principal_kind, principal_id);
