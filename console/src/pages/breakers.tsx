import type { Reply } from '../api/call.ts'
import { countColumn, textColumn, timeColumn } from '../parts/columns.tsx'
import { Empty } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { Chip, Id, Time } from '../parts/values.tsx'
import { systemWords } from '../words/system.ts'
import { useWords } from '../words/words.ts'

type Provider = Reply<'GET /providers'>['data'][number]

const RANKS = { open: 0, 'half-open': 1, closed: 2 }

/** Breakers of providers: those that are not closed come first. */
export function Breakers({ providers }: { providers: readonly Provider[] }) {
  const t = useWords(systemWords)
  const rows = providers
    .flatMap(({ name, health }) => health.breakers.map((breaker) => ({ provider: name, ...breaker })))
    .toSorted((one, other) => RANKS[one.state] - RANKS[other.state])
  return (
    <section className="card">
      <header>
        <h2>{t('breakers')}</h2>
        <p className="muted">{t('breakersAbout')}</p>
      </header>
      {rows.length === 0 ? (
        <Empty title={t('noBreakers')} />
      ) : (
        <Table
          name="breakers"
          label={t('breakers')}
          rows={rows}
          keyOf={({ provider, target, organization_id }) => `${provider} ${target} ${organization_id}`}
          columns={[
            { name: 'provider', title: t('provider'), cell: ({ provider }) => <b>{provider}</b> },
            textColumn('target', t('target')),
            { name: 'state', title: t('state'), cell: ({ state }) => <Chip state={`breaker-${state}`} /> },
            {
              name: 'organization_id',
              title: t('heldBack'),
              cell: ({ organization_id: id }) => (id === null ? t('everyCustomer') : <Id id={id} />),
            },
            timeColumn('since', t('since')),
            countColumn('failures', t('failures')),
            {
              name: 'last_failure',
              title: t('lastFailure'),
              value: ({ last_failure: last }) => last && `${last.outcome} ${last.at}`,
              cell: ({ last_failure: last }) =>
                last !== null && (
                  <>
                    {last.outcome} <Time iso={last.at} />
                  </>
                ),
            },
            timeColumn('next_try', t('nextTry')),
          ]}
        />
      )}
    </section>
  )
}
