import { Link } from '@tanstack/react-router'
import { type SubmitEvent, useRef, useState } from 'react'
import type { Item } from '../api/call.ts'
import { consoleKey } from '../api/console-key.ts'
import { DIALECT_NAMES, DIALECTS, type DialectName, KEY, type TextForm } from '../format/dialects.ts'
import { Exchange, Faults } from '../parts/exchange.tsx'
import { Choice, Field } from '../parts/fields.tsx'
import { Empty } from '../parts/states.tsx'
import { Duration, Usd } from '../parts/values.tsx'
import { playgroundWords } from '../words/playground.ts'
import { useWords } from '../words/words.ts'
import { type Outcome, runText } from './run-text.ts'

const FAULTS = [
  '[count 20]',
  '[pace 100]',
  '[reason]',
  '[busy]',
  '[fail]',
  '[cut 3]',
  '[refuse]',
  '[call get_weather {"place":"Delft"}]',
]
const IMAGE_BYTES_MAX = 5 * 1024 * 1024

interface Props {
  organizationId: string
  models: readonly Item<'GET /models'>[]
}

export function PlaygroundText({ organizationId, models }: Props) {
  const t = useWords(playgroundWords)
  const [dialect, setDialect] = useState<DialectName>('messages')
  const offered = models.filter(({ endpoints }) => endpoints.includes(dialect))
  const [form, setForm] = useState<TextForm>({
    model: '',
    system: '',
    prompt: 'Which way does the water go? [count 20] [pace 100]',
    maxTokens: 400,
    isStream: true,
    hasTool: false,
    image: '',
  })
  const [outcome, setOutcome] = useState<Outcome>()
  const running = useRef<AbortController>(undefined)
  const model = offered.some(({ name }) => name === form.model) ? form.model : (offered[0]?.name ?? '')
  const change = (part: Partial<TextForm>) => setForm({ ...form, ...part })
  if (models.every(({ endpoints }) => endpoints.length === 0)) return <Empty title={t('noModels')} />

  const { path, headers, body } = DIALECTS[dialect]
  const sent = { url: `${location.origin}${path}`, headers: headers(KEY), body: body({ ...form, model }) }

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    await runText({
      dialect,
      form: { ...form, model },
      getKey: () => consoleKey(organizationId),
      signal: controller.signal,
      onChange: setOutcome,
    })
  }

  return (
    <div className="bench">
      <form className="card pad" onSubmit={submit}>
        <Choice
          label={t('dialect')}
          value={dialect}
          options={DIALECT_NAMES.map((name) => [name, DIALECTS[name].path])}
          onChoose={(name: DialectName) => setDialect(name)}
        />
        <Choice
          label={t('model')}
          value={model}
          options={offered.map(({ name }) => [name, name])}
          onChoose={(name) => change({ model: name })}
        />
        <Field label={t('system')}>
          <input value={form.system} onChange={({ target }) => change({ system: target.value })} />
        </Field>
        <Field label={t('prompt')}>
          <textarea
            required
            rows={5}
            value={form.prompt}
            onChange={({ target }) => change({ prompt: target.value })}
          />
        </Field>
        <Faults words={FAULTS} prompt={form.prompt} onChange={(prompt) => change({ prompt })} />
        <Field label={t('maxTokens')}>
          <input
            type="number"
            min={1}
            value={form.maxTokens}
            onChange={({ target }) => change({ maxTokens: Number(target.value) })}
          />
        </Field>
        <Field label={t('image')}>
          <input
            type="file"
            accept="image/png,image/jpeg,image/webp,image/gif"
            onChange={async ({ target }) => change({ image: await readImage(target.files?.[0]) })}
          />
        </Field>
        <Check label={t('stream')} value={form.isStream} onChange={(isStream) => change({ isStream })} />
        <Check label={t('tool')} value={form.hasTool} onChange={(hasTool) => change({ hasTool })} />
        <div className="actions">
          <button type="submit" className="button primary" disabled={model === ''}>
            {t('send')}
          </button>
          {outcome?.isRunning && (
            <button type="button" className="button" onClick={() => running.current?.abort()}>
              {t('stop')}
            </button>
          )}
        </div>
      </form>
      <div className="results">
        <section className="card">
          <header>
            <h2>{t('answer')}</h2>
            {outcome !== undefined && <Facts outcome={outcome} />}
          </header>
          <div className="pad answer" aria-live="polite" aria-busy={outcome?.isRunning ?? false}>
            {outcome === undefined ? <span className="muted">{t('nothingYet')}</span> : outcome.text}
            {outcome?.failure && <p className="bad">{outcome.failure}</p>}
          </div>
        </section>
        <Exchange sent={sent} reply={outcome?.raw ?? ''} />
      </div>
    </div>
  )
}

function Check({
  label,
  value,
  onChange,
}: {
  label: string
  value: boolean
  onChange(value: boolean): void
}) {
  return (
    <label className="check">
      <input type="checkbox" checked={value} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  )
}

function Facts({ outcome }: { outcome: Outcome }) {
  const t = useWords(playgroundWords)
  const { status, tokens, costUsd, losses, firstByteMs, totalMs, requestId } = outcome
  return (
    <span className="states">
      <span className={`chip ${status >= 400 || status === 0 ? 'bad' : 'ok'}`}>{status || '…'}</span>
      {tokens && (
        <span>
          {t('tokens')} {tokens.input ?? '?'} + {tokens.output ?? '?'}
        </span>
      )}
      {costUsd !== undefined && (
        <span>
          {t('cost')} <Usd micros={Math.round(Number(costUsd) * 1_000_000)} />
        </span>
      )}
      <span>
        {t('losses')} {losses || t('none')}
      </span>
      {firstByteMs !== undefined && (
        <span>
          {t('firstByte')} <Duration ms={firstByteMs} />
        </span>
      )}
      {totalMs !== undefined && (
        <span>
          {t('total')} <Duration ms={totalMs} />
        </span>
      )}
      {requestId !== '' && (
        <Link to="/money" search={{ view: 'trace', id: requestId } as never}>
          {t('trace')}
        </Link>
      )}
    </span>
  )
}

async function readImage(file: File | undefined): Promise<string> {
  if (file === undefined || file.size > IMAGE_BYTES_MAX) return ''
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => resolve('')
    reader.readAsDataURL(file)
  })
}
