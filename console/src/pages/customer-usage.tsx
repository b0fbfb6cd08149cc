import { useMemo } from 'react'
import { useRead } from '../api/hooks.ts'
import { usdShort } from '../format/format.ts'
import { rangeOf } from '../format/ranges.ts'
import { Chart } from '../parts/chart.tsx'
import { Show } from '../parts/states.tsx'
import { customerWords } from '../words/customers.ts'
import { useLanguage, useWords } from '../words/words.ts'

export function CustomerUsage({ id }: { id: string }) {
  const t = useWords(customerWords)
  const locale = useLanguage()
  const range = useMemo(() => rangeOf('30d', Date.now()), [])
  const usage = useRead('GET /usage', {
    query: { by: 'day', from: range.from, to: range.to, organization_id: id, limit: 1_000 },
  })
  return (
    <section className="card">
      <header>
        <h2>{t('usage')}</h2>
      </header>
      <div className="pad">
        <Show of={usage}>
          {({ data }) => (
            <Chart
              label={t('usage')}
              times={range.times}
              lines={[
                { label: t('spend'), tone: 'accent', values: range.spread(data, (row) => row.cost_micros) },
              ]}
              format={(value) => usdShort(value, locale)}
            />
          )}
        </Show>
      </div>
    </section>
  )
}
