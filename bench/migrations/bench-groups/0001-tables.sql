create table groups (name text primary key, id int8 not null, added_at timestamptz not null);
