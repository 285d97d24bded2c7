create table people (
  id int8 primary key,
  name text,
  score int8,
  tags text[],
  seen timestamptz,
  lower_name text generated always as (lower(name)) stored
);
create table seats (
  room text,
  seat int4,
  person int8,
  primary key (room, seat)
);
create table moods (
  room text,
  person int8,
  mood text,
  strength int8,
  valid_from int8 not null,
  valid_until int8 not null,
  primary key (room, person, valid_until)
);
create table crowds (
  room text,
  block int8,
  members bit(2048) not null,
  primary key (room, block)
);
