import { Link } from '@tanstack/react-router'
import { useRead } from '../api/hooks.ts'
import { count, duration } from '../format/format.ts'
import { Chip, Count, Figure } from '../parts/values.tsx'
import { overviewWords } from '../words/overview.ts'
import { useLanguage, useWords } from '../words/words.ts'

const REFRESH_MS = 30_000

interface Period {
  from: string
  to: string
}

/** Waiting times of clients, all customers together. */
export function Timing({ from, to }: Period) {
  const t = useWords(overviewWords)
  const locale = useLanguage()
  const current = useRead('GET /overview', { query: { from, to } }).data?.current
  /** The gateway counts durations in steps, so a quantile is approximate. */
  const write = (ms: number | null | undefined) =>
    ms === null || ms === undefined ? '–' : `≈\u00a0${duration(ms, locale)}`
  const { latency_ms: latency, first_token_ms: first } = current ?? {}
  return (
    <>
      <Figure
        name={t('latency')}
        value={write(latency?.p50)}
        below={t('slower', { p95: write(latency?.p95), p99: write(latency?.p99) })}
      />
      <Figure
        name={t('firstToken')}
        value={write(first?.p50)}
        below={t('slower', { p95: write(first?.p95), p99: write(first?.p99) })}
      />
    </>
  )
}

export function Tasks({ from, to }: Period) {
  const t = useWords(overviewWords)
  const overview = useRead('GET /overview', { query: { from, to } }).data
  if (overview === undefined) return null
  const { now, current } = overview
  const open = { submitting: now.tasks.submitting, queued: now.tasks.queued, running: now.tasks.running }
  return (
    <section className="card">
      <header>
        <h2>{t('tasks')}</h2>
      </header>
      <div className="pad states">
        <b>{t('openNow')}</b>
        {Object.entries(open).map(([state, value]) => (
          <StateCount key={state} state={state} value={value} />
        ))}
        <Link to="/video" search={{ view: 'stuck' } as never}>
          {t('setAside')} <Count value={now.tasks.set_aside} />
        </Link>
        <b>{t('endedThen')}</b>
        {Object.entries(current.tasks).map(([state, value]) => (
          <StateCount key={state} state={state} value={value} />
        ))}
      </div>
    </section>
  )
}

function StateCount({ state, value }: { state: string; value: number }) {
  return (
    <Link to="/video" search={{ view: 'table', status: state } as never}>
      <Chip state={state} /> <Count value={value} />
    </Link>
  )
}

/** Calls and errors of each provider in the last five minutes, as the answering gateway process counted them. */
export function ProviderHealth() {
  const t = useWords(overviewWords)
  const locale = useLanguage()
  const providers = useRead('GET /providers', {}, { everyMs: REFRESH_MS }).data?.data ?? []
  if (providers.length === 0) return null
  return (
    <section className="card">
      <header>
        <h2>{t('providers')}</h2>
      </header>
      <div className="pad states">
        {providers.map(({ name, health }) => (
          <Link key={name} to="/system" search={{ view: 'providers' } as never}>
            <b>{name}</b> <Chip state={health.breaker === 'open' ? 'down' : 'up'} />{' '}
            {t('providerCalls', { calls: count(health.calls, locale), errors: count(health.errors, locale) })}
          </Link>
        ))}
      </div>
    </section>
  )
}
