import { useState } from 'react'
import { call, type Reply } from '../api/call.ts'
import { useChange, useRead } from '../api/hooks.ts'
import { Field } from '../parts/fields.tsx'
import { explain, Show } from '../parts/states.tsx'
import { frameWords } from '../words/frame.ts'
import { providerWords } from '../words/providers.ts'
import { type Translate, useWords } from '../words/words.ts'

export type Preset = Reply<'GET /presets'>['data'][number]

/** A vendor without a preset. */
export const OTHER = (t: Translate<'other'>): Preset => ({
  ...{ name: '', title: t('other'), driver: 'text', needs_key: false, needs_base_url: true },
  ...{ prices_taken: null, prices_page: null, settings: { driver: 'text', base_url: '' }, models: [] },
})

export function ChooseVendor({ onChoose }: { onChoose(preset: Preset): void }) {
  const t = useWords(providerWords)
  const presets = useRead('GET /presets')
  return (
    <Show of={presets}>
      {({ data }) => (
        <div className="vendors">
          {data.map((preset) => (
            <button key={preset.name} type="button" onClick={() => onChoose(preset)}>
              <b>{preset.title}</b>
              <span className="muted">
                {preset.prices_taken === null
                  ? t('unpriced')
                  : t('modelsOf', { count: preset.models.length })}
              </span>
            </button>
          ))}
          <button type="button" onClick={() => onChoose(OTHER(t))}>
            <b>{t('other')}</b>
            <span className="muted">{t('otherAbout')}</span>
          </button>
        </div>
      )}
    </Show>
  )
}

const DIALECTS = ['chat', 'responses', 'messages'] as const

interface Connected {
  name: string
  /** Entries under `models` of the provider for models that the preset or the operator names. */
  models: Readonly<Record<string, unknown>>
  /** Empty: the vendor has no list. */
  listed: readonly { id: string }[]
}

interface ConnectProps {
  preset: Preset
  onBack(): void
  onConnected(connected: Connected): void
}

/** Stores the provider, and asks the vendor which models it has: a wrong key or address shows at once. */
export function Connect({ preset, onBack, onConnected }: ConnectProps) {
  const t = useWords(providerWords)
  const frame = useWords(frameWords)
  const isOther = preset.name === ''
  const [values, setValues] = useState({
    ...{ name: preset.name, baseUrl: String(preset.settings.base_url ?? ''), key: '' },
    ...{ dialect: 'chat', model: '' },
  })
  const [stored, setStored] = useState<string>()
  const [error, setError] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const add = useChange('POST /providers')
  const update = useChange('PATCH /providers/{id}')
  const models = isOther ? { [values.model]: values.dialect } : Object(preset.settings.models)
  const field = (name: keyof typeof values) => ({
    name,
    value: values[name],
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => setValues({ ...values, [name]: target.value }),
  })

  async function connect() {
    const { name, baseUrl, key } = values
    const base_url = baseUrl.replace(/\/v1\/?$/, '')
    if (stored === undefined) {
      const members = { ...preset.settings, base_url, api_key: key || 'none', models }
      await add.mutateAsync({ body: { name, ...members } as never })
      setStored(name)
    } else {
      const body = { base_url, models, ...(key !== '' && { api_key: key }) }
      await update.mutateAsync({ id: stored, body: body as never })
    }
    const listed = await call('GET /providers/{id}/models', { id: stored ?? name })
    onConnected({ name: stored ?? name, models, listed: listed.data })
  }

  return (
    <form
      className="narrow"
      onSubmit={async (event) => {
        event.preventDefault()
        setBusy(true)
        setError(undefined)
        await connect().catch((cause) => setError(cause))
        setBusy(false)
      }}
    >
      <h2>{preset.title}</h2>
      {stored === undefined && (
        <Field label={t('name')} hint={t('nameHint')}>
          <input {...field('name')} required maxLength={100} />
        </Field>
      )}
      <Field label={t('address')} hint={t('addressHint')}>
        <input {...field('baseUrl')} required type="url" />
      </Field>
      <Field label={t('key')} hint={t(stored === undefined ? 'keyHint' : 'newKeyHint')}>
        <input {...field('key')} required={preset.needs_key && stored === undefined} type="password" />
      </Field>
      {isOther && (
        <>
          <Field label={t('speaks')}>
            <select {...field('dialect')}>
              {DIALECTS.map((dialect) => (
                <option key={dialect} value={dialect}>
                  {t(dialect)}
                </option>
              ))}
            </select>
          </Field>
          <Field label={t('firstModel')} hint={t('firstModelHint')}>
            <input {...field('model')} required />
          </Field>
        </>
      )}
      {error !== undefined && (
        <p className="notice bad" role="alert">
          {explain(error, frame)} {stored !== undefined && t('notListed')}
        </p>
      )}
      <div className="actions">
        <button type="button" className="button" onClick={onBack}>
          {t('back')}
        </button>
        {stored !== undefined && error !== undefined && (
          <button
            type="button"
            className="button"
            onClick={() => onConnected({ name: stored, models, listed: [] })}
          >
            {t('goOn')}
          </button>
        )}
        <button type="submit" className="button primary" disabled={isBusy}>
          {t('connectAndTest')}
        </button>
      </div>
    </form>
  )
}
