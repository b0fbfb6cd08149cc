import type { ColumnTypes } from '../../column-types.ts'

export function assets({ id, text, integer, strict }: ColumnTypes) {
  return `
    create table asset_groups (
      id ${id} primary key not null,
      organization_id ${id} not null references organizations (id),
      kind ${text} not null check (kind in ('default', 'person')),
      provider ${id} not null,
      ticket ${id} not null,
      created_at_ms ${integer} not null
    ) ${strict};
    create unique index asset_groups_one_default on asset_groups (organization_id, provider)
      where kind = 'default';
    create unique index asset_groups_one_of_a_person on asset_groups (organization_id, provider, ticket)
      where kind = 'person';

    create table default_group_claims (
      organization_id ${id} not null references organizations (id),
      provider ${id} not null,
      lease_until_ms ${integer} not null,
      constraint default_group_claims_once primary key (organization_id, provider)
    ) ${strict};

    create table assets (
      id ${id} primary key not null,
      organization_id ${id} not null references organizations (id),
      group_id ${id} not null references asset_groups (id),
      group_kind ${text} not null,
      provider ${id} not null,
      type ${text} not null check (type in ('Image', 'Video', 'Audio')),
      name ${text},
      folded_name ${id},
      status ${text} not null check (status in ('processing', 'active', 'failed')),
      ticket ${id} not null,
      sealed_url ${text},
      url_at_ms ${integer},
      error_code ${text},
      error_message ${text},
      created_at_ms ${integer} not null,
      updated_at_ms ${integer} not null,
      next_poll_at_ms ${integer} not null,
      fence ${integer} default 0 not null
    ) ${strict};
    create index assets_created on assets (organization_id, group_id, created_at_ms, id, status, folded_name);
    create index assets_of_status_created on assets (organization_id, group_id, status, created_at_ms, id);
    create index assets_updated on assets (organization_id, group_id, updated_at_ms, id, status, folded_name);
    create index assets_of_status_updated on assets (organization_id, group_id, status, updated_at_ms, id);
    create index assets_due on assets (provider, organization_id, next_poll_at_ms) where status = 'processing';

    -- Counts for pages: counting 200,000 rows takes longer than reading a page.
    create table asset_counts (
      organization_id ${id} not null,
      group_id ${id} not null references asset_groups (id),
      status ${text} not null,
      assets ${integer} not null check (assets >= 0),
      constraint asset_counts_once primary key (organization_id, group_id, status)
    ) ${strict};

    -- A verification has its token while it is open. Without a language the page uses the one of the browser.
    create table verifications (
      id ${id} primary key not null,
      organization_id ${id} not null references organizations (id),
      provider ${id} not null,
      state_digest ${id} not null unique,
      sealed_callback_url ${text} not null,
      created_at_ms ${integer} not null,
      expires_at_ms ${integer} not null,
      exchanged_at_ms ${integer},
      sealed_redirect ${text},
      ended_at_ms ${integer},
      sealed_token ${text},
      language ${text}
    ) ${strict};
    create index verifications_over on verifications (expires_at_ms)`
}
