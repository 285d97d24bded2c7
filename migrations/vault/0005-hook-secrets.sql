-- What hooks sign deliveries with, and the header that they sign in with, each under the id that events name it by, encrypted under
-- VAULT_KEY. None is ever changed: another is kept under another id, and counts when the event is there.
alter table vault.hook_secrets rename to hook_secrets_before;
create table vault.hook_secrets (
  id             text primary key,
  hook_id        bigint not null,
  part           text not null,
  sealed         bytea not null,
  unproven_since timestamptz default now()
);
-- Events of before name none: they are read as if they had named these.
insert into vault.hook_secrets (id, hook_id, part, sealed, unproven_since)
  select format('hook %s secret', hook_id), hook_id, 'secret', secret_sealed, unproven_since
  from vault.hook_secrets_before where secret_sealed is not null
  union all
  select format('hook %s authorization', hook_id), hook_id, 'authorization', authorization_sealed, unproven_since
  from vault.hook_secrets_before where authorization_sealed is not null;
drop table vault.hook_secrets_before;
create index hook_secrets_hook_id on vault.hook_secrets (hook_id);
create index hook_secrets_unproven_since on vault.hook_secrets (unproven_since) where unproven_since is not null;
