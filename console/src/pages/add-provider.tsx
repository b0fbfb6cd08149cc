import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../api/hooks.ts'
import { type CatalogRow, type Offer, offersOf, usualDialect } from '../format/offers.ts'
import { useFilters } from '../parts/navigate.ts'
import { Show } from '../parts/states.tsx'
import { providerWords } from '../words/providers.ts'
import { useWords } from '../words/words.ts'
import { ChooseModels } from './add-provider-models.tsx'
import { SetPrices } from './add-provider-prices.tsx'
import { ChooseVendor, Connect, OTHER, type Preset } from './add-provider-vendor.tsx'
import '../styles/wizard.css'

/**
 * The steps that add a provider, each with the results of the step before it:
 *
 *   vendor -> connect (stores the provider) -> models (tests them) -> prices -> done (the models are published)
 *
 * A stored provider begins at its models.
 */
type Step =
  | { at: 'vendor' }
  | { at: 'connect'; preset: Preset }
  | {
      at: 'models' | 'prices'
      name: string
      preset: Preset
      offers: readonly Offer[]
      chosen: readonly Offer[]
    }
  | { at: 'done'; models: readonly string[] }

const STEPS = ['vendor', 'connect', 'models', 'prices', 'done'] as const

export function AddProvider() {
  const t = useWords(providerWords)
  const [{ provider }] = useFilters()
  const presets = useRead('GET /presets')
  const providers = useRead('GET /providers')
  const listed = useRead(
    'GET /providers/{id}/models',
    { id: provider ?? '' },
    { enabled: provider !== undefined },
  )
  const stored = providers.data?.data.find(({ name, source }) => name === provider && source === 'store')
  if (provider === undefined) return <Wizard key="new" first={{ at: 'vendor' }} />
  if (stored === undefined || (listed.data === undefined && listed.error === null))
    return <Show of={providers}>{() => null}</Show>
  return (
    <Show of={presets}>
      {({ data }) => {
        const found = data.find(({ settings }) => settings.base_url === stored.base_url)
        const preset = { ...(found ?? OTHER(t)), settings: stored.settings ?? {} }
        const models = { ...Object(found?.settings.models), ...Object(stored.settings?.models) }
        const offers = offersWith(preset, models, listed.data?.data ?? [])
        return <Wizard key={provider} first={{ at: 'models', name: provider, preset, offers, chosen: [] }} />
      }}
    </Show>
  )
}

function offersWith(
  preset: Preset,
  models: Readonly<Record<string, unknown>>,
  listed: readonly { id: string }[],
): Offer[] {
  const vendor = { models, rows: preset.models as unknown as CatalogRow[], dialect: usualDialect(models) }
  return offersOf(
    vendor,
    listed.map(({ id }) => id),
  )
}

function Wizard({ first }: { first: Step }) {
  const t = useWords(providerWords)
  const [step, setStep] = useState(first)
  return (
    <section className="card pad wizard">
      <ol className="steps" aria-label={t('steps')}>
        {STEPS.map((at) => (
          <li key={at} aria-current={at === step.at ? 'step' : undefined}>
            {t(at)}
          </li>
        ))}
      </ol>
      {step.at === 'vendor' && <ChooseVendor onChoose={(preset) => setStep({ at: 'connect', preset })} />}
      {step.at === 'connect' && (
        <Connect
          preset={step.preset}
          onBack={() => setStep({ at: 'vendor' })}
          onConnected={({ name, models, listed }) => {
            const { preset } = step
            const offers = offersWith(preset, models, listed)
            const chosen = offers.filter(
              ({ key }) => offers.length === 1 || (preset.name === '' && key in models),
            )
            setStep({ at: 'models', name, preset, offers, chosen })
          }}
        />
      )}
      {step.at === 'models' && (
        <ChooseModels
          name={step.name}
          offers={step.offers}
          first={step.chosen}
          stored={first.at === 'models' ? Object(step.preset.settings.models) : {}}
          onChosen={(chosen) => setStep({ ...step, at: 'prices', chosen })}
        />
      )}
      {step.at === 'prices' && (
        <SetPrices
          name={step.name}
          preset={step.preset}
          chosen={step.chosen}
          onBack={() => setStep({ ...step, at: 'models' })}
          onPublished={(models) => setStep({ at: 'done', models })}
        />
      )}
      {step.at === 'done' && (
        <>
          <p className="notice ok" role="status">
            {t('isPublished', { models: step.models.join(', ') })}
          </p>
          <div className="actions">
            <Link to="/models" search={{}} className="button">
              {t('seeModels')}
            </Link>
            <Link to="/playground" search={{}} className="button">
              {t('tryThem')}
            </Link>
            <Link to="/customers" search={{}} className="button primary">
              {t('makeCustomer')}
            </Link>
          </div>
        </>
      )}
    </section>
  )
}
