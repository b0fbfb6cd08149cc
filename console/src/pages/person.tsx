import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call, type Reply } from '../api/call.ts'
import { useList, useRead } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { AssetGallery } from '../parts/asset-gallery.tsx'
import { idColumn, moneyColumn, stateColumn, textColumn, timeColumn } from '../parts/columns.tsx'
import { Customer } from '../parts/customers.tsx'
import { Confirm } from '../parts/dialog.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useId } from '../parts/navigate.ts'
import { Empty, Show } from '../parts/states.tsx'
import { ListTable } from '../parts/table.tsx'
import { TimeRange, useEmptyText, useTimeRange } from '../parts/time-range.tsx'
import { Copy, Time } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { peopleWords } from '../words/people.ts'
import { useWords } from '../words/words.ts'

type Erased = Reply<'DELETE /groups/{id}'>

export function Page() {
  const id = useId()
  const [erased, setErased] = useState<Erased>()
  const group = useRead('GET /groups/{id}', { id }, { enabled: erased?.group_id !== id })
  if (erased?.group_id === id) return <ErasureReceipt erased={erased} />
  return <Show of={group}>{(found) => <Person group={found} onErased={setErased} />}</Show>
}

function Person({ group, onErased }: { group: Reply<'GET /groups/{id}'>; onErased(receipt: Erased): void }) {
  const t = useWords(peopleWords)
  const mayErase = useMay('owner')
  const [isOpen, setOpen] = useState(false)
  const frame = useWords(frameWords)
  const portraits = useList('GET /assets', { group_id: group.id })
  return (
    <>
      <PageHead
        title={t('person')}
        crumb={
          <Link to="/people" search={{}}>
            {frame('people')}
          </Link>
        }
      >
        {mayErase && (
          <button type="button" className="button danger" onClick={() => setOpen(true)}>
            {t('erase')}
          </button>
        )}
      </PageHead>
      <section className="card pad">
        <dl className="facts">
          <dt>ID</dt>
          <dd>
            <Copy text={group.id} />
          </dd>
          <dt>{frame('organization')}</dt>
          <dd>
            <Customer id={group.organization_id} />
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
      <Show of={{ ...portraits, data: portraits.rows }}>
        {(rows) => (rows.length === 0 ? <Empty title={t('noPortraits')} /> : <AssetGallery assets={rows} />)}
      </Show>
      {portraits.hasNextPage && (
        <button type="button" className="button" onClick={() => void portraits.fetchNextPage()}>
          {frame('more')}
        </button>
      )}
      <Uses groupId={group.id} />
      {isOpen && (
        <Confirm
          title={t('erase')}
          action={t('erase')}
          typed={group.id}
          danger
          onClose={() => setOpen(false)}
          onConfirm={async () => onErased(await call('DELETE /groups/{id}', { id: group.id }))}
        >
          <p>{t('eraseAbout')}</p>
        </Confirm>
      )}
    </>
  )
}

/** The videos that show the person. */
function Uses({ groupId }: { groupId: string }) {
  const t = useWords(peopleWords)
  const frame = useWords(frameWords)
  const { from, to } = useTimeRange()
  return (
    <>
      <div className="filters">
        <TimeRange />
      </div>
      <section className="card">
        <header>
          <h2>{t('uses')}</h2>
        </header>
        <ListTable
          name="uses"
          label={t('uses')}
          list={useList('GET /tasks', { group_id: groupId, created_from: from, created_to: to })}
          empty={useEmptyText(t('noUses'))}
          keyOf={({ id }) => id}
          columns={[
            idColumn('id', t('task')),
            stateColumn('status', frame('status')),
            textColumn('model', t('model')),
            moneyColumn('charged_micros', t('charged')),
            timeColumn('created_at', t('created')),
          ]}
        />
      </section>
    </>
  )
}

/** Shows the erased data and the vendor's remaining copies once; the receipt can be copied. */
function ErasureReceipt({ erased }: { erased: Erased }) {
  const t = useWords(peopleWords)
  const frame = useWords(frameWords)
  return (
    <>
      <PageHead
        title={t('erased')}
        crumb={
          <Link to="/people" search={{}}>
            {frame('people')}
          </Link>
        }
      />
      <section className="card pad" role="status">
        <dl className="facts">
          <dt>ID</dt>
          <dd>
            <Copy text={erased.group_id} />
          </dd>
          <dt>{t('erasedPortraits')}</dt>
          <dd>{erased.assets.join(', ') || '–'}</dd>
          <dt>{t('removing')}</dt>
          <dd>
            <VendorCopies copies={erased.removing} />
          </dd>
          <dt>{t('byHand')}</dt>
          <dd>
            <VendorCopies copies={erased.to_remove_by_hand} />
          </dd>
        </dl>
        <Copy text={JSON.stringify(erased)} shown={t('copyReceipt')} />
      </section>
    </>
  )
}

function VendorCopies({ copies: { provider, asset_ids, group_id } }: { copies: Erased['removing'] }) {
  const ids = [...asset_ids, ...(group_id === null ? [] : [group_id])]
  return <>{ids.length === 0 ? '–' : `${provider}: ${ids.join(', ')}`}</>
}
