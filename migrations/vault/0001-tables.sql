-- What must not stand in the event log. Back this schema up, and keep VAULT_KEY apart from it.
create schema vault;

-- The keys of personal fields, each encrypted under VAULT_KEY. A shredded one leaves its row, so that it is never
-- made again and what it encrypted stays unreadable.
create table vault.person_keys (
  account_id  bigint primary key,
  sealed      bytea,
  shredded_at timestamptz,
  check ((sealed is null) = (shredded_at is not null))
);

create table vault.credentials (
  account_id           bigint primary key,
  password_hash        text not null,
  must_change_password boolean not null,
  active               boolean not null,
  prohibited           boolean not null,
  last_sign_in         timestamptz
);

-- Who is signed in to the console. A session counts while the password is the one that it began with.
create table vault.sessions (
  hash            bytea primary key,
  account_id      bigint not null references vault.credentials on delete cascade,
  password_digest bytea not null,
  expires_at      timestamptz not null
);
create index sessions_account_id on vault.sessions (account_id);
create index sessions_expires_at on vault.sessions (expires_at);

create table vault.tokens (
  token_id   bigint primary key,
  account_id bigint not null,
  last_eight text not null,
  salt       bytea not null,
  hash       bytea not null,
  scopes     text[] not null,
  last_used  timestamptz
);
create index tokens_last_eight on vault.tokens (last_eight);

-- Answers to requests with an Idempotency-Key, encrypted under VAULT_KEY.
create table vault.answers (
  key_hash  text primary key,
  sealed    bytea not null,
  stored_at timestamptz not null default now()
);
create index answers_stored_at on vault.answers (stored_at);

-- What pull mirrors sign in with at their sources, encrypted under VAULT_KEY.
create table vault.mirrors (
  repository_id bigint primary key,
  sealed        bytea not null
);

-- What hooks sign deliveries with, and the header that they sign in with, encrypted under VAULT_KEY.
create table vault.hook_secrets (
  hook_id              bigint primary key,
  secret_sealed        bytea,
  authorization_sealed bytea
);
