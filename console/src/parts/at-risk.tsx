import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useRead } from '../api/hooks.ts'
import { isLow, paceRange } from '../format/balance.ts'
import { duration, usdShort } from '../format/format.ts'
import { frameWords } from '../words/frame.ts'
import { useLanguage, useWords } from '../words/words.ts'

const EVERY_MS = 30_000
const LATE_SECONDS = 60
const BALANCES_EVERY_MS = 300_000
/** Maximum number of customers in one request, those with the highest spending first. */
const CUSTOMERS_MAX = 100
/** One grey bar for each figure, so that the header keeps its size while they load. */
const PLACES = ['held', 'poll', 'callbacks']

/** Counts the low balances among the prepaid customers with the highest spending of the last seven days. */
function LowBalances() {
  const t = useWords(frameWords)
  const range = useMemo(() => paceRange(Date.now()), [])
  const usage = useRead(
    'GET /usage',
    { query: { by: 'org', ...range, limit: 1_000 } },
    { everyMs: BALANCES_EVERY_MS },
  )
  const spent = (usage.data?.data ?? [])
    .toSorted((one, other) => other.cost_micros - one.cost_micros)
    .slice(0, CUSTOMERS_MAX)
  const ids = spent.map(({ organization_id }) => organization_id).join()
  const accounts = useRead(
    'GET /organizations',
    { query: { ids, limit: CUSTOMERS_MAX } },
    { everyMs: BALANCES_EVERY_MS, enabled: ids !== '' },
  )
  const low = (accounts.data?.data ?? []).filter(
    (account) =>
      account.disabled_at === null &&
      isLow(account, spent.find(({ organization_id }) => organization_id === account.id)?.cost_micros ?? 0),
  )
  if (low.length === 0) return null
  return (
    <Link to="/money" search={{ view: 'balances', balances_sort: 'days' } as never} className="alarm">
      {t('lowBalances', { count: low.length })}
    </Link>
  )
}

/** Figures at risk, on every page: held money, the oldest due poll, callbacks given up in 24 hours, low balances. */
export function AtRisk() {
  const t = useWords(frameWords)
  const locale = useLanguage()
  const { data, error } = useRead('GET /overview', {}, { everyMs: EVERY_MS })
  if (data === undefined)
    return (
      <div className="risk" aria-busy={error === null}>
        <b>{t('atRisk')}</b>
        {error === null ? PLACES.map((place) => <i key={place} className="placeholder" />) : t('unknown')}
      </div>
    )
  const { now, current: lastDay } = data
  return (
    <div className="risk">
      <b>{t('atRisk')}</b>
      <Link to="/video" search={{ view: 'table' } as never}>
        {t('heldOpen', { amount: usdShort(now.at_risk_micros, locale) })}
      </Link>
      <Link
        to="/video"
        search={{ view: 'stuck' } as never}
        className={now.oldest_due_poll_seconds > LATE_SECONDS ? 'alarm' : undefined}
      >
        {t('oldestPoll', { age: duration(now.oldest_due_poll_seconds * 1_000, locale) })}
      </Link>
      <Link
        to="/callbacks"
        search={{ state: 'given-up' } as never}
        className={lastDay.callbacks_given_up > 0 ? 'alarm' : undefined}
      >
        {t('givenUp', { count: lastDay.callbacks_given_up })}
      </Link>
      <LowBalances />
    </div>
  )
}
