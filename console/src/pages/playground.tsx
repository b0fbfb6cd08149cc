import { useList } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { CustomerFilter } from '../parts/customers.tsx'
import { Segments } from '../parts/fields.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Empty, Show } from '../parts/states.tsx'
import { frameWords } from '../words/frame.ts'
import { playgroundWords } from '../words/playground.ts'
import { useWords } from '../words/words.ts'
import { PlaygroundText } from './playground-text.tsx'
import { PlaygroundVideo } from './playground-video.tsx'
import '../styles/playground.css'

export function Page() {
  const t = useWords(playgroundWords)
  const frame = useWords(frameWords)
  const mayTry = useMay('operator')
  const [filters, setFilters] = useFilters()
  const kind = filters.kind === 'video' ? 'video' : 'text'
  const organizations = useList('GET /organizations')
  const models = useList('GET /models')
  const only = organizations.rows?.length === 1 ? organizations.rows[0]?.id : undefined
  const organizationId = filters.organization_id ?? only
  return (
    <>
      <PageHead title={frame('playground')} about={t('about')}>
        <Segments
          label={t('kind')}
          value={kind}
          options={[
            ['text', t('text')],
            ['video', t('video')],
          ]}
          onChoose={(one) => setFilters({ kind: one })}
        />
      </PageHead>
      <div className="filters">
        <CustomerFilter />
      </div>
      {!mayTry ? (
        <Empty title={t('needOperator')} />
      ) : organizationId === undefined ? (
        <Empty title={t('chooseCustomer')} />
      ) : (
        <Show of={{ ...models, data: models.rows?.filter(({ servable }) => servable) }}>
          {(rows) =>
            kind === 'text' ? (
              <PlaygroundText organizationId={organizationId} models={rows} />
            ) : (
              <PlaygroundVideo organizationId={organizationId} models={rows} />
            )
          }
        </Show>
      )}
    </>
  )
}
