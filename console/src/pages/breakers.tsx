import type { Reply } from '../api/call.ts'
import { Empty } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { Chip, Count, Id, Time } from '../parts/values.tsx'
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
          label={t('breakers')}
          rows={rows}
          keyOf={({ provider, target, organization_id }) => `${provider} ${target} ${organization_id}`}
          columns={[
            { title: t('provider'), cell: ({ provider }) => <b>{provider}</b> },
            { title: t('target'), cell: ({ target }) => target },
            { title: t('state'), cell: ({ state }) => <Chip state={`breaker-${state}`} /> },
            {
              title: t('heldBack'),
              cell: ({ organization_id: id }) => (id === null ? t('everyCustomer') : <Id id={id} />),
            },
            { title: t('since'), cell: ({ since }) => <Time iso={since} /> },
            { title: t('failures'), isNumber: true, cell: ({ failures }) => <Count value={failures} /> },
            {
              title: t('lastFailure'),
              cell: ({ last_failure: last }) =>
                last !== null && (
                  <>
                    {last.outcome} <Time iso={last.at} />
                  </>
                ),
            },
            { title: t('nextTry'), cell: ({ next_try: next }) => <Time iso={next} /> },
          ]}
        />
      )}
    </section>
  )
}
