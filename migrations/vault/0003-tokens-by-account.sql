-- All tokens of an account end with it.
create index tokens_account_id on vault.tokens (account_id);
