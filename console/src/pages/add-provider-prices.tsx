import { useState } from 'react'
import { callAll } from '../api/call.ts'
import { useChange } from '../api/hooks.ts'
import { percent as percentText } from '../format/format.ts'
import { amountName, BLANK_PRICES, type CatalogRow, markedUp, type Offer } from '../format/offers.ts'
import { type Price, priceLines } from '../format/price-lines.ts'
import { Field } from '../parts/fields.tsx'
import { Failure } from '../parts/states.tsx'
import { providerWords } from '../words/providers.ts'
import { unitWords } from '../words/units.ts'
import { useLanguage, useWords } from '../words/words.ts'
import type { Preset } from './add-provider-vendor.tsx'

interface Props {
  name: string
  preset: Preset
  chosen: readonly Offer[]
  onBack(): void
  onPublished(models: readonly string[]): void
}

const MARKUP = '20'

/** Amounts that the operator typed, by model and row; an amount that was not typed is the preset's, or follows the markup. */
type Typed = Readonly<Record<string, string>>

export function SetPrices({ name, preset, chosen, onBack, onPublished }: Props) {
  const t = useWords(providerWords)
  const [markup, setMarkup] = useState(MARKUP)
  const [typed, setTyped] = useState<Typed>({})
  const [error, setError] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const add = useChange('POST /models')
  const update = useChange('PATCH /models/{name}')

  const rowsOf = ({ key, row }: Offer) =>
    (row?.prices ?? BLANK_PRICES).map((price, index) => {
      const place = `${key} ${index}`
      const amount = amountName(price)
      const cost = typed[`${place} cost`] ?? String(amount === undefined ? '' : price[amount])
      const ours = typed[`${place} ours`] ?? markedUp(cost, Number(markup))
      return { place, price, amount, cost, ours }
    })

  async function publish() {
    const known = await catalogNames()
    const published: string[] = []
    for (const offer of chosen) {
      const lines = rowsOf(offer)
      const isCostTyped = lines.some(({ place }) => typed[`${place} cost`] !== undefined)
      const priced = (which: 'cost' | 'ours') =>
        lines.flatMap(({ price, amount, ...line }) =>
          amount === undefined
            ? [price]
            : line[which].trim() === ''
              ? []
              : [{ ...price, [amount]: Number(line[which]) }],
        )
      const costs = priced('cost')
      const taken = offer.row === undefined || isCostTyped ? today() : preset.prices_taken
      const { model_id: _number, name: _name, ...members }: Partial<CatalogRow> = offer.row ?? {}
      const body = {
        ...{ ...members, prices: priced('ours'), published: true },
        ...(costs.length > 0 && { vendor_prices: costs, ...(taken !== null && { prices_taken: taken }) }),
      }
      const full = `${name}/${offer.key}`
      if (known.has(full)) await update.mutateAsync({ id: full, body: body as never })
      else await add.mutateAsync({ body: { name: full, ...body } as never })
      published.push(full)
    }
    onPublished(published)
  }

  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault()
        setBusy(true)
        setError(undefined)
        await publish().catch((cause) => setError(cause))
        setBusy(false)
      }}
    >
      <div className="narrow">
        <Field label={t('markup')} hint={t('markupHint')}>
          <input
            type="number"
            min="-99"
            step="any"
            value={markup}
            onChange={({ target }) => setMarkup(target.value)}
          />
        </Field>
      </div>
      {preset.prices_taken !== null && (
        <p className="notice warn">
          {t('pricesTaken', { day: preset.prices_taken })}
          {preset.prices_page !== null && (
            <a href={preset.prices_page} target="_blank" rel="noreferrer">
              {t('pricesPage')}
            </a>
          )}
        </p>
      )}
      {chosen.map((offer) => (
        <fieldset key={offer.key} className="price-rows">
          <legend>
            {name}/{offer.key}
          </legend>
          {rowsOf(offer).map((line) => (
            <PriceRow
              key={line.place}
              {...line}
              onType={(which, value) => setTyped({ ...typed, [`${line.place} ${which}`]: value })}
            />
          ))}
        </fieldset>
      ))}
      {error !== undefined && <Failure error={error} />}
      <div className="actions">
        <button type="button" className="button" onClick={onBack}>
          {t('back')}
        </button>
        <button type="submit" className="button primary" disabled={isBusy}>
          {t(isBusy ? 'publishing' : 'publish')}
        </button>
      </div>
    </form>
  )
}

interface PriceRowProps {
  price: Price
  amount: 'usd' | 'usd_per_million' | undefined
  cost: string
  ours: string
  onType(which: 'cost' | 'ours', value: string): void
}

/** A factor multiplies other prices, and takes no markup. */
function PriceRow({ price, amount, cost, ours, onType }: PriceRowProps) {
  const t = useWords(providerWords)
  const locale = useLanguage()
  const [line] = priceLines([price], [], useWords(unitWords))
  const sold = line?.sold ?? ''
  if (amount === undefined)
    return (
      <div className="price-row">
        <span>{sold}</span>
        <span>{line?.ours}</span>
      </div>
    )
  const margin = Number(ours) > 0 && cost !== '' ? 1 - Number(cost) / Number(ours) : undefined
  const input = (which: 'cost' | 'ours', value: string) => (
    <Field label={t(which === 'cost' ? 'vendorsPrice' : 'yourPrice')}>
      <input
        type="number"
        min="0"
        step="any"
        required={which === 'ours'}
        aria-label={`${sold}: ${t(which === 'cost' ? 'vendorsPrice' : 'yourPrice')}`}
        value={value}
        onChange={({ target }) => onType(which, target.value)}
      />
    </Field>
  )
  return (
    <div className="price-row">
      <span>
        {sold} <small className="muted">{t(amount === 'usd' ? 'each' : 'perMillion')}</small>
      </span>
      {input('cost', cost)}
      {input('ours', ours)}
      <span className={margin !== undefined && margin < 0 ? 'bad' : undefined}>
        {t('margin')} {margin === undefined ? '–' : percentText(margin, 1, locale)}
      </span>
    </div>
  )
}

async function catalogNames(): Promise<ReadonlySet<string>> {
  const { rows } = await callAll('GET /models', {}, { pagesMax: Number.POSITIVE_INFINITY })
  return new Set(rows.map(({ name }) => name))
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
