import { Link } from '@tanstack/react-router'
import { useList } from '../api/hooks.ts'
import { usdShort } from '../format/format.ts'
import { frameWords } from '../words/frame.ts'
import { useLanguage, useWords } from '../words/words.ts'

const EVERY_MS = 30_000

/** Money that could still be lost, on every page. */
export function AtRisk() {
  const t = useWords(frameWords)
  const locale = useLanguage()
  const organizations = useList('GET /organizations', {}, { everyMs: EVERY_MS })
  const held = organizations.rows?.reduce((sum, { held_micros }) => sum + held_micros, 0)
  return (
    <div className="risk">
      <b>{t('atRisk')}</b>
      <Link to="/money" search={{}}>
        {held === undefined ? t('unknown') : t('heldOpen', { amount: usdShort(held, locale) })}
      </Link>
    </div>
  )
}
