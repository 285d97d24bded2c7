-- What is to be sent to webhooks, and what came of it.
create schema deliveries;

-- How far the log has been turned into deliveries; it moves in the transaction that writes them.
create table deliveries.checkpoint (position int8 not null, recorded_at timestamptz not null);
create unique index on deliveries.checkpoint ((true));
insert into deliveries.checkpoint values (-1, 'epoch');

create table deliveries.deliveries (
  -- Follows from event and hook, so that an event that is planned again makes no second one.
  id              uuid primary key,
  sequence        int8 generated always as identity,
  hook_id         int8 not null,
  -- What the event is about, for the access check at delivery.
  repository_id   int8,
  event           text not null,
  event_type      text not null,
  payload         text not null,
  -- Target and secrets, encrypted, where the hook is gone by the time of delivery.
  frozen          bytea,
  status          text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'skipped')),
  -- First attempts go in the order of `sequence`; what is tried again does not hold them back.
  retry           boolean not null default false,
  attempts        int4 not null default 0,
  due_at          timestamptz not null default 'epoch',
  created_at      timestamptz not null default now(),
  settled_at      timestamptz,
  -- The last attempt.
  attempted_at    timestamptz,
  duration_ms     int4,
  request         json,
  response        json,
  -- Apart: text with a null character, which an answer may hold, cannot be taken out of JSON.
  response_status int4,
  error           text,
  check ((status = 'pending') = (settled_at is null))
);
create index deliveries_pending on deliveries.deliveries (hook_id, retry, due_at, sequence) where status = 'pending';
create index deliveries_of_hook on deliveries.deliveries (hook_id, sequence desc);
create index deliveries_settled on deliveries.deliveries (settled_at) where settled_at is not null;
create index deliveries_failed on deliveries.deliveries (status) where status = 'failed';

-- A row for each hook with first attempts to make, and one for each with attempts to repeat. Whoever holds it makes
-- them, one after the other; it is free when its lease has run out or the session of its holder has ended.
create table deliveries.lanes (
  hook_id       int8 not null,
  retry         boolean not null,
  -- Counts up with whatever is added, so that nobody closes a lane that somebody has just filled.
  wanted        int8 not null default 0,
  due_at        timestamptz not null default 'epoch',
  holder        uuid,
  backend_pid   int4,
  backend_start timestamptz,
  leased_until  timestamptz not null default 'epoch',
  primary key (hook_id, retry)
);
