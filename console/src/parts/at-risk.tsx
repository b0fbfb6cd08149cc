import { Link } from '@tanstack/react-router'
import { useRead } from '../api/hooks.ts'
import { duration, usdShort } from '../format/format.ts'
import { frameWords } from '../words/frame.ts'
import { useLanguage, useWords } from '../words/words.ts'

const EVERY_MS = 30_000
const LATE_SECONDS = 60
/** One grey bar for each figure, so that the header keeps its size while they load. */
const PLACES = ['held', 'poll', 'callbacks']

/** Money at risk, on every page: open holds, the oldest due poll, callbacks that were given up in the last 24 hours. */
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
    </div>
  )
}
