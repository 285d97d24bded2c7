-- What deliveries send. They share it where it is the same, as that of one event for many hooks, because it may be large.
create table deliveries.payloads (
  digest    bytea primary key, -- SHA-256 of the text in UTF-8
  text      text not null,
  -- When a delivery that sends it was last queued. It may be removed some time later, once none is left.
  queued_at timestamptz not null default now()
);
create index payloads_queued on deliveries.payloads (queued_at);

insert into deliveries.payloads (digest, text, queued_at)
  select sha256(convert_to(payload, 'UTF8')), payload, created_at from deliveries.deliveries order by sequence desc
  on conflict (digest) do nothing;

alter table deliveries.deliveries add payload_digest bytea;
update deliveries.deliveries set payload_digest = sha256(convert_to(payload, 'UTF8'));
alter table deliveries.deliveries
  alter payload_digest set not null,
  add foreign key (payload_digest) references deliveries.payloads on delete cascade,
  drop payload;
create index deliveries_of_payload on deliveries.deliveries (payload_digest);
