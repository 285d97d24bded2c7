-- Who writes which projection, and which projections stand still.
create schema projector;

-- A lease is a matter of liveness only: that nothing is written twice is the checkpoint's fence.
create table projector.leases (
  schema text primary key,
  holder text not null,
  backend_pid int4 not null,
  backend_start timestamptz not null,
  expires_at timestamptz not null
);

-- A row for each projection that stopped at an event it could not take; gone once it is past that event.
create table projector.status (
  schema text primary key,
  stream text not null,
  revision int8 not null,
  position int8 not null,
  error text not null,
  stopped_at timestamptz not null default now()
);

-- Ends the transaction of a writer whose checkpoints another writer moved.
create function projector.fence(moved bigint, expected bigint) returns void language plpgsql as $$
begin
  if moved <> expected then
    raise exception using errcode = 'TF001', message = 'a checkpoint is not where this writer left it';
  end if;
end
$$;
