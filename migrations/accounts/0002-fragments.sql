-- All that a search by any part of a name or an address looks through, in one text: one look-up in place of three.
drop index accounts_by_fragment;
create index accounts_by_fragment on accounts using gin (((
  coalesce(lower_name, '') || E'\n' || coalesce(lower_full_name, '') || E'\n' || lower(coalesce(email, ''))
) collate "C") public.gin_trgm_ops) where valid_until = 9223372036854775807;
