import { useList } from '../api/hooks.ts'
import { ListTable } from '../parts/table.tsx'
import { Count, Usd } from '../parts/values.tsx'
import { moneyWords } from '../words/money.ts'
import { useWords } from '../words/words.ts'

/** Attributes of a price row that say for what it counts, not how much it is. */
const ATTRIBUTES = ['resolution', 'video_input', 'audio']

export function Prices() {
  const t = useWords(moneyWords)
  const list = useList('GET /models')
  return (
    <section className="card">
      <ListTable
        label={t('prices')}
        list={list}
        empty={t('noPrices')}
        keyOf={({ model_id }) => String(model_id)}
        columns={[
          { title: t('model'), cell: ({ name }) => <b>{name}</b> },
          { title: t('endpoints'), cell: ({ endpoints }) => endpoints.join(', ') },
          {
            title: t('price'),
            cell: ({ prices }) => (
              <ul>
                {prices.map((price) => (
                  <li key={JSON.stringify(price)}>{priceText(price)}</li>
                ))}
              </ul>
            ),
          },
          {
            title: t('context'),
            isNumber: true,
            cell: ({ context_tokens }) => (context_tokens === null ? '–' : <Count value={context_tokens} />),
          },
          {
            title: t('example'),
            cell: ({ example }) =>
              example !== null && (
                <>
                  {example.request}: <Usd micros={example.cost_micros} />
                </>
              ),
          },
        ]}
      />
    </section>
  )
}

/** `output_token: $10 (usd_per_million)`: the amount's own name says what it is for. */
function priceText(price: Record<string, unknown>): string {
  const amount = Object.entries(price).find(
    ([name, value]) => name.startsWith('usd') && typeof value === 'number',
  )
  const conditions = ATTRIBUTES.filter((name) => price[name] !== null && price[name] !== undefined)
  const when = conditions.map((name) => `${name.replaceAll('_', ' ')} ${price[name]}`).join(', ')
  const [name = '', value = ''] = amount ?? []
  return `${String(price.unit).replaceAll('_', ' ')}: $${value} ${name.replace(/^usd_?/, '').replaceAll('_', ' ')}${when && ` (${when})`}`
}
