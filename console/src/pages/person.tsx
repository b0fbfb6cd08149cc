import { Link } from '@tanstack/react-router'
import type { Reply } from '../api/call.ts'
import { useList, useRead } from '../api/hooks.ts'
import { AssetGallery } from '../parts/asset-gallery.tsx'
import { useCustomerNames } from '../parts/customers.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useId } from '../parts/navigate.ts'
import { Empty, Show, Skeleton } from '../parts/states.tsx'
import { Copy, Id, Time } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { peopleWords } from '../words/people.ts'
import { useWords } from '../words/words.ts'

export function Page() {
  const group = useRead('GET /groups/{id}', { id: useId() })
  return <Show of={group}>{(found) => <Person group={found} />}</Show>
}

function Person({ group }: { group: Reply<'GET /groups/{id}'> }) {
  const t = useWords(peopleWords)
  const frame = useWords(frameWords)
  const names = useCustomerNames()
  const assets = useList('GET /assets', { organization_id: group.organization_id })
  const portraits = assets.rows?.filter(({ group_id }) => group_id === group.id)
  return (
    <>
      <PageHead
        title={t('person')}
        crumb={
          <Link to="/people" search={{}}>
            {frame('people')}
          </Link>
        }
      />
      <section className="card pad">
        <dl className="facts">
          <dt>ID</dt>
          <dd>
            <Copy text={group.id} />
          </dd>
          <dt>{frame('organization')}</dt>
          <dd>
            <Id id={group.organization_id} name={names(group.organization_id)} />
          </dd>
          <dt>{t('provider')}</dt>
          <dd>{group.provider}</dd>
          <dt>{t('ticket')}</dt>
          <dd>
            <Copy text={group.upstream_id} />
          </dd>
          <dt>{t('since')}</dt>
          <dd>
            <Time iso={group.created_at} />
          </dd>
        </dl>
      </section>
      <h2>{t('portraits')}</h2>
      {portraits === undefined ? (
        <Skeleton />
      ) : portraits.length === 0 ? (
        <Empty title={t('noPortraits')} />
      ) : (
        <AssetGallery assets={portraits} />
      )}
    </>
  )
}
