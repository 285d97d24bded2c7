-- What an edit of an account is about to change of its credentials, kept before its event: what it closes, which counts at
-- once, and its password, which counts when the event is there (null: it has none, or it counts). The row goes once the
-- credentials are as the log has the account.
create table vault.account_edits (
  edit_id              uuid primary key,
  account_id           bigint not null references vault.credentials on delete cascade,
  password_hash        text,
  active               boolean not null,
  prohibited           boolean not null,
  must_change_password boolean not null,
  unproven_since       timestamptz default now()
);
create index account_edits_account_id on vault.account_edits (account_id);
create index account_edits_unproven_since on vault.account_edits (unproven_since);
