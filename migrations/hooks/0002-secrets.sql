-- What the vault keeps their secrets under; null where they have none.
alter table hooks add column secret_id text;
alter table hooks add column authorization_id text;
