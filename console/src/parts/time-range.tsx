import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/words.ts'
import { Field } from './fields.tsx'
import { useFilters } from './navigate.ts'

const NAMES = ['from', 'to'] as const

/** The range in the address as the admin API takes it. A link means the same moments in every zone. */
export function useTimeRange(): { from: string | undefined; to: string | undefined } {
  const [filters] = useFilters()
  return { from: isoOf(filters.from), to: isoOf(filters.to) }
}

/** Returns the text of an empty table: the given text, or that nothing was found in the range. */
export function useEmptyText(text: string): string {
  const t = useWords(frameWords)
  const { from, to } = useTimeRange()
  return from === undefined && to === undefined ? text : t('nothingFound')
}

/** Two moments in the reader's zone; the second is exclusive. */
export function TimeRange() {
  const t = useWords(frameWords)
  const [filters, setFilters] = useFilters()
  return (
    <fieldset className="dates" aria-label={t('timeRange')}>
      {NAMES.map((name) => (
        <Field key={name} label={t(name)}>
          <input
            type="datetime-local"
            value={localOf(filters[name])}
            onChange={({ target }) => setFilters({ [name]: isoOf(target.value) })}
          />
        </Field>
      ))}
    </fieldset>
  )
}

function isoOf(text: string | undefined): string | undefined {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** `2026-11-18T10:30` in the reader's zone, as the field takes it. */
function localOf(iso: string | undefined): string {
  const ms = Date.parse(iso ?? '')
  if (Number.isNaN(ms)) return ''
  const zoneMs = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - zoneMs).toISOString().slice(0, 16)
}
