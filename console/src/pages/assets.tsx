import { useList, useRead } from '../api/hooks.ts'
import { AssetGallery, AssetScreen } from '../parts/asset-gallery.tsx'
import { Customer, CustomerFilter } from '../parts/customers.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Choice } from '../parts/fields.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Empty, Show } from '../parts/states.tsx'
import { Chip, Copy, Id, Time } from '../parts/values.tsx'
import { assetWords } from '../words/assets.ts'
import { frameWords } from '../words/frame.ts'
import { stateWords } from '../words/states.ts'
import { useWords } from '../words/words.ts'

const STATUSES = ['processing', 'active', 'failed'] as const

export function Page() {
  const t = useWords(assetWords)
  const frame = useWords(frameWords)
  const states = useWords(stateWords)
  const [{ organization_id, status, id }, setFilters] = useFilters()
  const list = useList('GET /assets', { organization_id, status, limit: 48 })
  return (
    <>
      <PageHead title={frame('assets')} about={t('about')} />
      <div className="filters">
        <CustomerFilter />
        <Choice
          label={frame('status')}
          value={status ?? ''}
          options={[['', frame('all')], ...STATUSES.map((one) => [one, states(one)] as const)]}
          onChoose={(one) => setFilters({ status: one || undefined })}
        />
      </div>
      <Show of={{ ...list, data: list.rows }}>
        {(assets) =>
          assets.length === 0 ? (
            <Empty title={t('empty')}>{t('emptyHint')}</Empty>
          ) : (
            <AssetGallery assets={assets} />
          )
        }
      </Show>
      {list.hasNextPage && (
        <button type="button" className="button" onClick={() => void list.fetchNextPage()}>
          {frame('more')}
        </button>
      )}
      {id !== undefined && <Detail id={id} onClose={() => setFilters({ id: undefined })} />}
    </>
  )
}

function Detail({ id, onClose }: { id: string; onClose(): void }) {
  const t = useWords(assetWords)
  const frame = useWords(frameWords)
  const asset = useRead('GET /assets/{id}', { id })
  return (
    <Dialog title={t('detail')} onClose={onClose}>
      <Show of={asset}>
        {(found) => (
          <>
            <div className="tile">
              <AssetScreen asset={found} isLarge />
            </div>
            {found.error !== null && (
              <p className="notice bad">
                {t('why')}: {found.error.message} ({found.error.code})
              </p>
            )}
            <dl className="facts">
              <dt>{frame('status')}</dt>
              <dd>
                <Chip state={found.status} />
              </dd>
              <dt>{t('use')}</dt>
              <dd>
                <Copy text={`asset://${found.id}`} />
              </dd>
              <dt>{t('type')}</dt>
              <dd>{found.asset_type}</dd>
              <dt>{t('group')}</dt>
              <dd>{found.group_kind === 'person' ? <Id id={found.group_id} /> : t('defaultGroup')}</dd>
              <dt>{frame('organization')}</dt>
              <dd>
                <Customer id={found.organization_id} />
              </dd>
              <dt>{t('provider')}</dt>
              <dd>{found.provider}</dd>
              <dt>{t('created')}</dt>
              <dd>
                <Time iso={found.created_at} />
              </dd>
              <dt>{t('updated')}</dt>
              <dd>
                <Time iso={found.updated_at} />
              </dd>
            </dl>
          </>
        )}
      </Show>
    </Dialog>
  )
}
