create table doses (
  id int8 primary key,
  dose int8 not null check (dose < 100)
);
