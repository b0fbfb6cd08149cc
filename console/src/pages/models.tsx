import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Item } from '../api/call.ts'
import { useChange, useList } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { percent } from '../format/format.ts'
import { priceLines } from '../format/price-lines.ts'
import { ACTIONS, type Column } from '../parts/columns.tsx'
import { Confirm } from '../parts/dialog.tsx'
import { Segments } from '../parts/fields.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { PageHead } from '../parts/frame.tsx'
import { useFilters } from '../parts/navigate.ts'
import { Failure } from '../parts/states.tsx'
import { ListTable } from '../parts/table.tsx'
import { None, Time } from '../parts/values.tsx'
import { frameWords } from '../words/frame.ts'
import { modelWords } from '../words/models.ts'
import { providerWords } from '../words/providers.ts'
import { unitWords } from '../words/units.ts'
import { useLanguage, useWords } from '../words/words.ts'
import { AddProvider } from './add-provider.tsx'
import { Aliases } from './aliases.tsx'

const VIEWS = ['models', 'aliases'] as const

export function Page() {
  const t = useWords(modelWords)
  const frame = useWords(frameWords)
  const provider = useWords(providerWords)
  const [filters, setFilters] = useFilters()
  const mayAdd = useMay('owner')
  if (filters.view === 'add')
    return (
      <>
        <PageHead
          title={provider('title')}
          about={provider('about')}
          crumb={
            <Link to="/models" search={{}}>
              {frame('models')}
            </Link>
          }
        />
        <AddProvider />
      </>
    )
  const view = VIEWS.find((one) => one === filters.view) ?? 'models'
  return (
    <>
      <PageHead title={frame('models')} about={t('about')}>
        {mayAdd && (
          <Link to="/models" search={{ view: 'add' } as never} className="button primary">
            {provider('title')}
          </Link>
        )}
        <Segments
          label={t('view')}
          value={view}
          options={VIEWS.map((one) => [one, t(one)])}
          onChoose={(one) => setFilters({ view: one })}
        />
      </PageHead>
      {view === 'models' ? <Models /> : <Aliases />}
    </>
  )
}

type Model = Item<'GET /models'>
type Open = { kind: 'prices' | 'remove'; model: Model }

function Models() {
  const t = useWords(modelWords)
  const frame = useWords(frameWords)
  const mayChange = useMay('owner')
  const [filters, setFilters] = useFilters()
  const list = useList('GET /models', { search: filters.model })
  const update = useChange('PATCH /models/{name}')
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <section className="card">
      <header>
        <label className="check">
          <input
            type="checkbox"
            checked={filters.all === 'true'}
            onChange={({ target }) => setFilters({ all: target.checked ? 'true' : undefined })}
          />
          {t('showAll')}
        </label>
      </header>
      {update.error !== null && <Failure error={update.error} />}
      <ListTable
        name="models"
        label={frame('models')}
        list={{
          ...list,
          rows: list.rows?.filter(
            ({ published, servable }) => filters.all === 'true' || servable || !published,
          ),
        }}
        empty={t('empty')}
        keyOf={({ name }) => name}
        columns={[
          ...useModelColumns(),
          {
            ...ACTIONS,
            cell: (model) =>
              mayChange && (
                <>
                  <button type="button" className="plain" onClick={() => setOpen({ kind: 'prices', model })}>
                    {t('editPrices')}
                  </button>
                  <button
                    type="button"
                    className="plain"
                    onClick={() => update.mutate({ id: model.name, body: { published: !model.published } })}
                  >
                    {t(model.published ? 'unpublish' : 'publish')}
                  </button>
                  <button
                    type="button"
                    className="plain bad"
                    onClick={() => setOpen({ kind: 'remove', model })}
                  >
                    {t('remove')}
                  </button>
                </>
              ),
          },
        ]}
      />
      {open?.kind === 'prices' && <EditPrices model={open.model} onClose={close} />}
      {open?.kind === 'remove' && <RemoveModel name={open.model.name} onClose={close} />}
    </section>
  )
}

/** Columns of a model. Its state, old prices and a loss have a coloured chip. */
function useModelColumns(): Column<Model>[] {
  const t = useWords(modelWords)
  const locale = useLanguage()
  const lowest = (model: Model) => {
    const margins = priceLines(model.prices, model.vendor_prices).flatMap(({ margin }) => margin ?? [])
    return margins.length === 0 ? undefined : Math.min(...margins)
  }
  return [
    { name: 'name', title: t('model'), cell: ({ name }) => <b>{name}</b> },
    {
      name: 'state',
      title: t('state'),
      value: ({ published, servable }) => `${published} ${servable}`,
      cell: ({ published, servable, reason }) => (
        <>
          <span className={`chip ${published ? 'ok' : 'warn'}`}>
            {t(published ? 'published' : 'unpublished')}
          </span>{' '}
          {!servable && (
            <span className="chip bad" title={reason ?? undefined}>
              {t('cannotServe')}
            </span>
          )}
        </>
      ),
    },
    {
      name: 'price',
      title: t('ourPrice'),
      value: ({ prices }) => Number(prices[0]?.usd_per_million ?? prices[0]?.usd ?? 0),
      cell: ({ prices, next_prices: next }) => (
        <>
          {mainText(prices)}
          {next !== null && (
            <div className="muted">
              {t('from')} <Time iso={next.from} />: {mainText(next.prices)}
            </div>
          )}
        </>
      ),
    },
    {
      name: 'prices_taken',
      title: t('pricesTaken'),
      isMinor: true,
      value: ({ prices_taken }) => prices_taken,
      cell: ({ prices_taken: day }) =>
        day !== null && (
          <>
            {day} {isOld(day) && <span className="chip warn">{t('oldPrices')}</span>}
          </>
        ),
    },
    {
      name: 'margin',
      title: t('margin'),
      isNumber: true,
      value: lowest,
      cell: (model) => {
        const margin = lowest(model)
        if (margin === undefined) return <None />
        return margin < 0 ? (
          <span className="chip bad">
            {percent(margin, 1, locale)} {t('loss')}
          </span>
        ) : (
          percent(margin, 1, locale)
        )
      },
    },
    {
      name: 'aliases',
      title: t('aliases'),
      isMinor: true,
      value: ({ aliases }) => aliases.map(({ alias }) => alias).join(' '),
      cell: ({ aliases }) => aliases.map(({ alias }) => alias).join(', '),
    },
  ]
}

/** Age in days beyond which prices are marked as old; `sluice doctor` warns beyond the same age. */
const PRICES_DAYS_MAX = 90

function isOld(day: string): boolean {
  return Math.floor((Date.now() - Date.parse(day)) / 86_400_000) > PRICES_DAYS_MAX
}

/** Returns the main prices of a model: input and output of text, else the first two. */
function mainPrices(prices: Model['prices']): Model['prices'] {
  const text = prices.filter(({ unit }) => unit === 'input_token' || unit === 'output_token')
  return text.length > 0 ? text : prices.slice(0, 2)
}

function mainText(prices: Model['prices']): string {
  return priceLines(mainPrices(prices), [])
    .map(({ ours }) => ours)
    .join(' · ')
}

/** Replaces the prices of a model, immediately or from a moment on. */
function EditPrices({ model, onClose }: { model: Model; onClose(): void }) {
  const t = useWords(modelWords)
  const units = useWords(unitWords)
  const update = useChange('PATCH /models/{name}')
  const fields = model.prices.map((price, index) => ({
    name: String(index),
    label: priceLines([price], [], units)[0]?.sold ?? '',
    value: String(price.usd_per_million ?? price.usd ?? price.times ?? ''),
  }))
  return (
    <FormDialog
      title={`${t('editPrices')}: ${model.name}`}
      action={t('save')}
      fields={[
        ...fields,
        { name: 'from', label: t('from'), hint: t('fromHint'), type: 'datetime-local', isOptional: true },
      ]}
      onClose={onClose}
      onSubmit={({ from, ...values }) =>
        update.mutateAsync({
          id: model.name,
          body: {
            prices: model.prices.map((price, index) => ({
              ...namedOf(price),
              [amountName(price)]: Number(values[String(index)]),
            })),
            ...(from ? { prices_from: new Date(from).toISOString() } : {}),
          } as never,
        })
      }
    />
  )
}

/** Leaves out null attributes: an absent one matches any value, as null does. */
function namedOf(price: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(price).filter(([, value]) => value !== null))
}

function amountName(price: Record<string, unknown>): string {
  return ['usd_per_million', 'usd', 'times'].find((name) => price[name] !== undefined) ?? 'usd'
}

function RemoveModel({ name, onClose }: { name: string; onClose(): void }) {
  const t = useWords(modelWords)
  const remove = useChange('DELETE /models/{name}')
  return (
    <Confirm
      title={`${t('remove')}: ${name}`}
      action={t('remove')}
      danger
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ id: name })}
    >
      <p>{t('removeModelAbout')}</p>
    </Confirm>
  )
}
