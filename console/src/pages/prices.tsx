import type { Item } from '../api/call.ts'
import { useList } from '../api/hooks.ts'
import { percent } from '../format/format.ts'
import { type PriceLine, priceLines } from '../format/price-lines.ts'
import { Field } from '../parts/fields.tsx'
import { useFilters } from '../parts/navigate.ts'
import { ListTable } from '../parts/table.tsx'
import { Count, Usd } from '../parts/values.tsx'
import { moneyWords } from '../words/money.ts'
import { unitWords } from '../words/units.ts'
import { type Translate, useLanguage, useWords } from '../words/words.ts'

/** One price of a model; data about the model itself stands on its first line. */
interface Line extends Partial<PriceLine> {
  key: string
  model: Item<'GET /models'>
  isFirst: boolean
}

export function Prices() {
  const t = useWords(moneyWords)
  const units = useWords(unitWords)
  const locale = useLanguage()
  const [{ model }, setFilters] = useFilters()
  const list = useList('GET /models')
  return (
    <>
      <div className="filters">
        <Field label={t('model')}>
          <input
            type="search"
            value={model ?? ''}
            onChange={({ target }) => setFilters({ model: target.value || undefined })}
          />
        </Field>
      </div>
      <section className="card">
        <ListTable<Line>
          name="prices"
          label={t('prices')}
          list={{
            ...list,
            rows: list.rows
              ?.filter(({ servable, name }) => servable && name.includes(model ?? ''))
              .flatMap((model) => linesOf(model, units)),
          }}
          empty={t('noPrices')}
          keyOf={({ key }) => key}
          isMore={({ isFirst }) => !isFirst}
          columns={[
            {
              name: 'model',
              title: t('model'),
              value: ({ model }) => model.name,
              cell: ({ model, isFirst }) => isFirst && <Model model={model} />,
            },
            { name: 'sold', title: t('unit'), cell: ({ sold }) => sold ?? t('noPrice') },
            { name: 'ours', title: t('price'), isNumber: true, cell: ({ ours }) => ours },
            { name: 'vendors', title: t('vendorPrice'), isNumber: true, cell: ({ vendors }) => vendors },
            {
              name: 'margin',
              title: t('margin'),
              isNumber: true,
              cell: ({ margin }) =>
                margin !== undefined && (
                  <span className={margin < 0 ? 'bad' : undefined}>{percent(margin, 1, locale)}</span>
                ),
            },
            {
              name: 'example',
              title: t('example'),
              isMinor: true,
              value: ({ model: { example } }) => example && example.cost_micros / 1_000_000,
              cell: ({ model: { example }, isFirst }) =>
                isFirst &&
                example !== null && (
                  <>
                    {units(example.request)}: <Usd micros={example.cost_micros} />
                  </>
                ),
            },
          ]}
        />
      </section>
    </>
  )
}

function linesOf(model: Item<'GET /models'>, units: Translate<string>): Line[] {
  const lines: Partial<PriceLine>[] = priceLines(model.prices, model.vendor_prices, units)
  return (lines.length === 0 ? [{}] : lines).map((line, index) => ({
    ...line,
    key: `${model.model_id} ${index}`,
    model,
    isFirst: index === 0,
  }))
}

function Model({ model: { name, endpoints, context_tokens } }: { model: Item<'GET /models'> }) {
  const t = useWords(moneyWords)
  return (
    <>
      <b>{name}</b> <span className="muted">{endpoints.join(', ')}</span>
      {context_tokens !== null && (
        <span className="muted">
          {' '}
          {t('context')} <Count value={context_tokens} />
        </span>
      )}
    </>
  )
}
