-- The notice that is up.
create table notices (
  id text primary key,
  text text not null,
  put_up_at timestamptz not null
);
