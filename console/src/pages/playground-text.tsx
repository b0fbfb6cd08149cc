import { type SubmitEvent, useRef, useState } from 'react'
import type { Item } from '../api/call.ts'
import { withConsoleKey } from '../api/console-key.ts'
import { KEY } from '../format/code-for.ts'
import {
  DIALECT_NAMES,
  DIALECTS,
  type DialectName,
  EFFORTS,
  type TextForm,
  type Turn,
} from '../format/dialects.ts'
import { Exchange, Faults } from '../parts/exchange.tsx'
import { Choice, Field } from '../parts/fields.tsx'
import { Empty } from '../parts/states.tsx'
import { playgroundWords } from '../words/playground.ts'
import { useWords } from '../words/words.ts'
import { Lane } from './playground-lane.tsx'
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
  isSandbox: boolean
}

/** Conversation with one model so far. */
interface LaneState {
  turns: Turn[]
  asked?: string
  outcome?: Outcome
}

export function PlaygroundText({ organizationId, models, isSandbox }: Props) {
  const t = useWords(playgroundWords)
  const [dialect, setDialect] = useState<DialectName>('messages')
  const offered = models.filter(({ endpoints }) => endpoints.includes(dialect))
  const [form, setForm] = useState<Omit<TextForm, 'model' | 'turns'>>({
    system: '',
    prompt: isSandbox ? 'Which way does the water go? [count 20] [pace 100]' : 'Which way does the water go?',
    maxTokens: 400,
    isStream: true,
    hasTool: false,
    image: '',
    temperature: '',
    effort: '',
  })
  /** Names of the chosen models; the second is empty while nothing is compared. */
  const [chosen, setChosen] = useState(['', ''])
  const [lanes, setLanes] = useState<LaneState[]>([{ turns: [] }, { turns: [] }])
  /** The last request, shown beside its reply until the form is changed. */
  const [last, setLast] = useState<Record<string, unknown>>()
  const running = useRef<AbortController>(undefined)
  const change = (part: Partial<typeof form>) => {
    setForm({ ...form, ...part })
    setLast(undefined)
  }
  const choose = (models: string[]) => {
    setChosen(models)
    setLast(undefined)
  }
  if (models.every(({ endpoints }) => endpoints.length === 0)) return <Empty title={t('noModels')} />

  const known = (name: string | undefined) => offered.find((model) => model.name === name)?.name
  const first = known(chosen[0]) ?? offered[0]?.name ?? ''
  const asked = [first, known(chosen[1]) ?? ''].filter((name) => name !== '')
  const formOf = (at: number): TextForm => ({
    ...form,
    model: asked[at] ?? '',
    turns: lanes[at]?.turns ?? [],
  })
  const { path, headers, body, sdk } = DIALECTS[dialect]
  const sent = { url: `${location.origin}${path}`, headers: headers(KEY), body: last ?? body(formOf(0)), sdk }
  const isRunning = lanes.some(({ outcome }) => outcome?.isRunning)
  const setLane = (at: number, next: (lane: LaneState) => LaneState) =>
    setLanes((old) => old.map((lane, index) => (index === at ? next(lane) : lane)))

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    /** An aborted request still reports its failure, which another request or a new conversation must not show. */
    const isCurrent = () => running.current === controller
    const { prompt } = form
    setLast(body(formOf(0)))
    setLanes((old) => old.map(({ turns }) => ({ turns })))
    const ends = await Promise.all(
      asked.map((_, at) =>
        runText({
          dialect,
          form: formOf(at),
          withKey: (send) => withConsoleKey(organizationId, send),
          signal: controller.signal,
          onChange: (outcome) => {
            if (isCurrent()) setLane(at, ({ turns }) => ({ turns, asked: prompt, outcome }))
          },
        }),
      ),
    )
    if (!isCurrent()) return
    for (const [at, end] of ends.entries())
      if (end.status === 200 && end.failure === '' && end.text !== '')
        setLane(at, ({ turns }) => ({
          turns: [...turns, { user: prompt, assistant: end.text }],
          outcome: end,
        }))
  }

  const begin = () => {
    running.current?.abort()
    running.current = undefined
    setLanes([{ turns: [] }, { turns: [] }])
    setLast(undefined)
  }

  return (
    <div className="bench">
      <form className="card pad" onSubmit={submit}>
        <Choice
          label={t('dialect')}
          value={dialect}
          options={DIALECT_NAMES.map((name) => [name, DIALECTS[name].path])}
          onChoose={(name: DialectName) => {
            setDialect(name)
            setLast(undefined)
          }}
        />
        <Choice
          label={t('model')}
          value={first}
          options={offered.map(({ name }) => [name, name])}
          onChoose={(name) => choose([name, chosen[1] ?? ''])}
        />
        <Choice
          label={t('compare')}
          value={known(chosen[1]) ?? ''}
          options={[['', t('compareNone')], ...offered.map(({ name }) => [name, name] as const)]}
          onChoose={(name) => choose([first, name])}
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
        {isSandbox && (
          <Faults words={FAULTS} prompt={form.prompt} onChange={(prompt) => change({ prompt })} />
        )}
        <div className="pair">
          <Field label={t('maxTokens')}>
            <input
              type="number"
              min={1}
              value={form.maxTokens}
              onChange={({ target }) => change({ maxTokens: Number(target.value) })}
            />
          </Field>
          <Field label={t('temperature')}>
            <input
              type="number"
              min={0}
              max={2}
              step={0.1}
              placeholder={t('byDefault')}
              value={form.temperature}
              onChange={({ target }) => change({ temperature: target.value })}
            />
          </Field>
        </div>
        <Choice
          label={t('effort')}
          value={form.effort}
          options={[['', t('asModel')], ...EFFORTS.map((effort) => [effort, t(effort)] as const)]}
          onChoose={(effort: string) => change({ effort })}
        />
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
          <button type="submit" className="button primary" disabled={first === ''}>
            {t('send')}
          </button>
          {isRunning && (
            <button type="button" className="button" onClick={() => running.current?.abort()}>
              {t('stop')}
            </button>
          )}
          {lanes.some(({ turns }) => turns.length > 0) && (
            <button type="button" className="button" onClick={begin}>
              {t('newConversation')}
            </button>
          )}
        </div>
      </form>
      <div className="results">
        <div className={asked.length > 1 ? 'sides' : 'contents'}>
          {asked.map((model, at) => (
            <Lane
              // biome-ignore lint/suspicious/noArrayIndexKey: both lanes may have the same model.
              key={at}
              model={model}
              turns={lanes[at]?.turns ?? []}
              asked={lanes[at]?.asked}
              outcome={lanes[at]?.outcome}
            />
          ))}
        </div>
        <Exchange sent={sent} reply={lanes[0]?.outcome?.raw ?? ''} />
      </div>
    </div>
  )
}

interface CheckProps {
  label: string
  value: boolean
  onChange(value: boolean): void
}

function Check({ label, value, onChange }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={value} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
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
