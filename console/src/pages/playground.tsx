import { useList, useRead } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { isSandbox } from '../format/sandbox.ts'
import { customerState } from '../parts/customer-state.ts'
import { CustomerPicker } from '../parts/customers.tsx'
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

/** Storage key of the customer that was chosen last in this browser. */
const LAST_CUSTOMER = 'sluice.customer'

export function Page() {
  const t = useWords(playgroundWords)
  const frame = useWords(frameWords)
  const mayTry = useMay('operator')
  const [filters, setFilters] = useFilters()
  const kind = filters.kind === 'video' ? 'video' : 'text'
  const organizations = useList('GET /organizations')
  const models = useList('GET /models')
  const providers = useRead('GET /providers').data?.data ?? []
  const open = organizations.rows?.filter((row) => customerState(row) === 'enabled')
  const last = open?.find(({ id }) => id === localStorage.getItem(LAST_CUSTOMER))?.id
  const newest = open?.[0]?.id
  const organizationId = filters.organization_id ?? last ?? newest
  const choose = (id: string) => {
    localStorage.setItem(LAST_CUSTOMER, id)
    setFilters({ organization_id: id })
  }
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
        <CustomerPicker label={frame('organization')} value={organizationId ?? ''} onChoose={choose} />
      </div>
      {!mayTry ? (
        <Empty title={t('needOperator')} />
      ) : organizationId === undefined ? (
        <Empty title={t('chooseCustomer')} />
      ) : (
        <Show of={{ ...models, data: models.rows?.filter(({ servable }) => servable) }}>
          {(rows) =>
            kind === 'text' ? (
              <PlaygroundText
                organizationId={organizationId}
                models={rows}
                isSandbox={isSandbox(providers)}
              />
            ) : (
              <PlaygroundVideo organizationId={organizationId} models={rows} />
            )
          }
        </Show>
      )}
    </>
  )
}
