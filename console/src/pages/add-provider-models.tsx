import { useState } from 'react'
import type { Reply } from '../api/call.ts'
import { useChange } from '../api/hooks.ts'
import type { Offer } from '../format/offers.ts'
import { Field } from '../parts/fields.tsx'
import { Failure, Skeleton } from '../parts/states.tsx'
import { providerWords } from '../words/providers.ts'
import { useWords } from '../words/words.ts'
import { ChecksTable } from './health.tsx'

interface Props {
  name: string
  offers: readonly Offer[]
  /** Models selected at first: one that the operator named, the only one offered, or the previous selection. */
  first: readonly Offer[]
  /** Models that a provider served before these steps, and keeps; empty for a provider that these steps stored. */
  stored: Readonly<Record<string, unknown>>
  onChosen(chosen: readonly Offer[]): void
}

/** Some vendors list hundreds of models: the search finds those that are not shown. */
const SHOWN_MAX = 60
/** A shorter list needs no search. */
const SEARCHED_MIN = 9

/** Sets the models of the provider to `stored` and the chosen ones, and tests the provider. */
export function ChooseModels({ name, offers, first, stored, onChosen }: Props) {
  const t = useWords(providerWords)
  const update = useChange('PATCH /providers/{id}')
  const test = useChange('POST /providers/{id}/test')
  const [search, setSearch] = useState('')
  const [keys, setKeys] = useState<ReadonlySet<string>>(() => new Set(first.map(({ key }) => key)))
  const found = offers.filter(({ id }) => id.toLowerCase().includes(search.trim().toLowerCase()))
  const shown = found.filter(({ key }, index) => index < SHOWN_MAX || keys.has(key))
  const chosen = offers.filter(({ key }) => keys.has(key))
  const checks: Reply<'POST /providers/{id}/test'> | undefined = test.data
  const error = update.error ?? test.error
  const isBusy = update.isPending || test.isPending

  function toggle(key: string, isChosen: boolean) {
    const next = new Set(keys)
    if (isChosen) next.add(key)
    else next.delete(key)
    setKeys(next)
    test.reset()
  }

  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault()
        const models = { ...stored, ...Object.fromEntries(chosen.map(({ key, entry }) => [key, entry])) }
        try {
          await update.mutateAsync({ id: name, body: { models } as never })
          await test.mutateAsync({ id: name })
        } catch {
          // The form shows the error below, from the state of the calls.
        }
      }}
    >
      <p>{t('choose')}</p>
      {offers.length >= SEARCHED_MIN && (
        <div className="narrow">
          <Field label={t('search')}>
            <input type="search" value={search} onChange={({ target }) => setSearch(target.value)} />
          </Field>
        </div>
      )}
      <fieldset className="offers" aria-label={t('models')}>
        {shown.map(({ id, key, row }) => (
          <label key={key} className="check">
            <input
              type="checkbox"
              checked={keys.has(key)}
              onChange={({ target }) => toggle(key, target.checked)}
            />
            <span>
              {id} {row !== undefined && <span className="chip">{t('pricesKnown')}</span>}
            </span>
          </label>
        ))}
      </fieldset>
      {found.length > shown.length && (
        <p className="muted">{t('moreModels', { count: found.length - shown.length })}</p>
      )}
      <p className="muted">
        {t('chosen', { count: chosen.length })}. {t('testCost')}
      </p>
      {isBusy && <Skeleton />}
      {error !== null && <Failure error={error} />}
      {checks !== undefined && <ChecksTable checks={checks} />}
      <div className="actions">
        <button
          type="submit"
          className={checks?.ok ? 'button' : 'button primary'}
          disabled={isBusy || chosen.length === 0}
        >
          {t('testModels')}
        </button>
        {checks !== undefined && (
          <button
            type="button"
            className={checks.ok ? 'button primary' : 'button'}
            onClick={() => onChosen(chosen)}
          >
            {t('setPrices')}
          </button>
        )}
      </div>
    </form>
  )
}
