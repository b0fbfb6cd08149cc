import { useState } from 'react'
import type { Item } from '../api/call.ts'
import { useList } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { count } from '../format/format.ts'
import { customerColumn, idColumn, textColumn, timeColumn } from '../parts/columns.tsx'
import { CustomerFilter } from '../parts/customers.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Empty } from '../parts/states.tsx'
import { ListTable } from '../parts/table.tsx'
import { TimeRange, useEmptyText, useTimeRange } from '../parts/time-range.tsx'
import { Chip, Figure } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { peopleWords } from '../words/people.ts'
import { useLanguage, useWords } from '../words/words.ts'
import { StartCheck } from './start-check.tsx'

type Check = Item<'GET /verifications'>

const REFRESH_MS = 5_000
/** Number of newest checks in the figures, which their title names. */
const COUNTED = 100

export function Page() {
  const t = useWords(peopleWords)
  const frame = useWords(frameWords)
  const mayChange = useMay('operator')
  const [isOpen, setOpen] = useState(false)
  const [{ organization_id }] = useFilters()
  const range = useTimeRange()
  const people = useList(
    'GET /groups',
    { organization_id, kind: 'person', ...range },
    { everyMs: REFRESH_MS },
  )
  const checks = useList('GET /verifications', { organization_id, ...range }, { everyMs: REFRESH_MS })
  const button = mayChange && (
    <button type="button" className="button primary" onClick={() => setOpen(true)}>
      {t('start')}
    </button>
  )
  return (
    <>
      <PageHead title={frame('people')} about={t('about')}>
        {button}
      </PageHead>
      <div className="filters">
        <CustomerFilter />
        <TimeRange />
      </div>
      {checks.rows !== undefined && checks.rows.length > 0 && (
        <Funnel checks={checks.rows.slice(0, COUNTED)} />
      )}
      <section className="card">
        <header>
          <h2>{t('verified')}</h2>
        </header>
        <ListTable
          name="people"
          label={t('verified')}
          list={people}
          empty={<Empty title={useEmptyText(t('noPeople'))}>{button}</Empty>}
          keyOf={({ id }) => id}
          columns={[
            idColumn('id', t('person')),
            customerColumn(frame('organization')),
            textColumn('provider', t('provider')),
            timeColumn('created_at', t('since')),
          ]}
        />
      </section>
      <section className="card">
        <header>
          <h2>{t('checks')}</h2>
        </header>
        <ListTable
          name="checks"
          label={t('checks')}
          list={checks}
          empty={useEmptyText(t('noChecks'))}
          keyOf={({ id }) => id}
          columns={[
            idColumn('id', t('check')),
            {
              name: 'state',
              title: frame('status'),
              value: stateOf,
              cell: (check) => <Chip state={STATES[stateOf(check)]} />,
            },
            customerColumn(frame('organization')),
            textColumn('language', t('language')),
            timeColumn('created_at', t('created')),
            timeColumn('expires_at', t('expires')),
          ]}
        />
      </section>
      {isOpen && <StartCheck onClose={() => setOpen(false)} />}
    </>
  )
}

const STATES = { open: 'waiting', ended: 'ended', expired: 'expired' }

function stateOf({ ended_at, expires_at }: Check): keyof typeof STATES {
  if (ended_at !== null) return 'ended'
  return Date.parse(expires_at) < Date.now() ? 'expired' : 'open'
}

function Funnel({ checks }: { checks: readonly Check[] }) {
  const t = useWords(peopleWords)
  const locale = useLanguage()
  const countIn = (state: string) => checks.filter((check) => stateOf(check) === state).length
  return (
    <>
      <h2>{t('funnel')}</h2>
      <dl className="figures">
        <Figure name={t('started')} value={count(checks.length, locale)} />
        <Figure name={t('open')} value={count(countIn('open'), locale)} />
        <Figure name={t('ended')} value={count(countIn('ended'), locale)} />
        <Figure name={t('expired')} value={count(countIn('expired'), locale)} />
      </dl>
    </>
  )
}
