-- Since when a secret is kept of which nobody has asked yet whether its hook, or mirror, came to be; null where it did.
alter table vault.hook_secrets add column unproven_since timestamptz default now();
alter table vault.mirrors add column unproven_since timestamptz default now();
create index hook_secrets_unproven_since on vault.hook_secrets (unproven_since) where unproven_since is not null;
create index mirrors_unproven_since on vault.mirrors (unproven_since) where unproven_since is not null;
