import { Link } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import type { Item } from '../api/call.ts'
import { withConsoleKey } from '../api/console-key.ts'
import { useRead } from '../api/hooks.ts'
import { KEY } from '../format/code-for.ts'
import { usd } from '../format/format.ts'
import { timelineOf } from '../format/lanes.ts'
import { estimateVideo, resolutionsOf } from '../format/video-price.ts'
import { Exchange, Faults } from '../parts/exchange.tsx'
import { Choice, Field } from '../parts/fields.tsx'
import { Empty, Show } from '../parts/states.tsx'
import { Timeline } from '../parts/timeline.tsx'
import { Chip, Usd } from '../parts/values.tsx'
import { playgroundWords } from '../words/playground.ts'
import { useLanguage, useWords } from '../words/words.ts'
import { TaskPlayer } from './task-screen.tsx'

const FAULTS = [
  '[fail]',
  '[moderate]',
  '[moderate-late]',
  '[busy]',
  '[slow]',
  '[stuck]',
  '[expire]',
  '[no-video]',
]
const RATIOS = ['16:9', '9:16', '1:1']
const SECONDS_MIN = 4
const POLL_MS = 1_000

interface Props {
  organizationId: string
  models: readonly Item<'GET /models'>[]
}

interface Form {
  model: string
  prompt: string
  seconds: number
  resolution: string
  ratio: string
  hasAudio: boolean
  image: string
  callback: string
}

/** Answer to the create call, and its task. */
interface Made {
  raw: string
  taskId?: string
}

export function PlaygroundVideo({ organizationId, models }: Props) {
  const t = useWords(playgroundWords)
  const locale = useLanguage()
  const offered = models.filter(
    ({ endpoints, prices }) => endpoints.length === 0 && prices.some(isVideoPrice),
  )
  const [form, setForm] = useState<Form>({
    ...{ model: '', prompt: 'A barge passes a lock at dawn', seconds: 5, resolution: '720p', ratio: '' },
    ...{ hasAudio: false, image: '', callback: '' },
  })
  const [made, setMade] = useState<Made>()
  const [isBusy, setBusy] = useState(false)
  const change = (part: Partial<Form>) => setForm({ ...form, ...part })
  const model = offered.find(({ name }) => name === form.model) ?? offered[0]
  if (model === undefined) return <Empty title={t('noModels')} />
  const sent = {
    url: `${location.origin}/v1/video/generations`,
    headers: { authorization: `Bearer ${KEY}` },
    body: bodyOf(form, model.name),
  }
  const price = estimateVideo(model.prices, model.example, form)
  const isSilent = /fast$/.test(model.name)

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    setBusy(true)
    setMade(await create(organizationId, sent.body).catch((error: Error) => ({ raw: error.message })))
    setBusy(false)
  }

  return (
    <div className="bench">
      <form className="card pad" onSubmit={submit}>
        <Choice
          label={t('model')}
          value={model.name}
          options={offered.map(({ name }) => [name, name])}
          onChoose={(name) => change({ model: name, hasAudio: false })}
        />
        <Field label={t('prompt')}>
          <textarea
            required
            rows={4}
            value={form.prompt}
            onChange={({ target }) => change({ prompt: target.value })}
          />
        </Field>
        <Faults words={FAULTS} prompt={form.prompt} onChange={(prompt) => change({ prompt })} />
        <Field label={t('duration')}>
          <input
            type="number"
            min={SECONDS_MIN}
            max={15}
            value={form.seconds}
            onChange={({ target }) => change({ seconds: Number(target.value) })}
          />
        </Field>
        <Choice
          label={t('resolution')}
          value={form.resolution}
          options={resolutionsOf(model.prices).map((one) => [one, one])}
          onChoose={(resolution) => change({ resolution })}
        />
        <Choice
          label={t('ratio')}
          value={form.ratio}
          options={[['', t('asModel')], ...RATIOS.map((one) => [one, one] as const)]}
          onChoose={(ratio) => change({ ratio })}
        />
        <Field label={t('imageUrl')}>
          <input value={form.image} onChange={({ target }) => change({ image: target.value.trim() })} />
        </Field>
        <Field label={t('callbackUrl')}>
          <input value={form.callback} onChange={({ target }) => change({ callback: target.value.trim() })} />
        </Field>
        <label className="check">
          <input
            type="checkbox"
            disabled={isSilent}
            checked={form.hasAudio && !isSilent}
            onChange={({ target }) => change({ hasAudio: target.checked })}
          />
          {t('audio')}
        </label>
        <p>
          {t('price')}: <b>{price === undefined ? t('priceUnknown') : usd(price, locale)}</b>
        </p>
        <button type="submit" className="button primary" disabled={isBusy}>
          {t('make')}
        </button>
      </form>
      <div className="results">
        {made?.taskId !== undefined && <Progress id={made.taskId} />}
        <Exchange sent={sent} reply={made?.raw ?? ''} />
      </div>
    </div>
  )
}

function isVideoPrice({ unit }: Record<string, unknown>): boolean {
  return unit === 'second' || unit === 'video_token'
}

function bodyOf(form: Form, model: string): Record<string, unknown> {
  const image = { type: 'image_url', role: 'first_frame', image_url: { url: form.image } }
  return {
    model,
    content: [{ type: 'text', text: form.prompt }, ...(form.image === '' ? [] : [image])],
    duration: form.seconds,
    resolution: form.resolution,
    ...(form.ratio !== '' && { ratio: form.ratio }),
    ...(form.hasAudio && { generate_audio: true }),
    ...(form.callback !== '' && { callback_url: form.callback }),
  }
}

async function create(organizationId: string, body: Record<string, unknown>): Promise<Made> {
  const reply = await withConsoleKey(organizationId, (key) =>
    fetch('/v1/video/generations', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'omit',
    }),
  )
  const answer: { id?: string } = await reply.json()
  const raw = JSON.stringify(answer, null, 2)
  return reply.ok && answer.id !== undefined ? { raw, taskId: answer.id } : { raw }
}

function Progress({ id }: { id: string }) {
  const t = useWords(playgroundWords)
  const [isOpen, setOpen] = useState(true)
  const task = useRead('GET /tasks/{id}', { id }, { ...(isOpen && { everyMs: POLL_MS }) })
  const hasEnded = task.data?.id === id && task.data.completed_at !== null
  if (hasEnded === isOpen) setOpen(!hasEnded)
  return (
    <Show of={task}>
      {(found) => (
        <section className="card">
          <header>
            <h2>{t('progress')}</h2>
            <span className="states">
              <Chip state={found.status} />
              <Usd micros={found.charged_micros ?? found.held_micros} />
              <Link to="/video/$id" params={{ id } as never} search={{} as never}>
                {t('openTask')}
              </Link>
            </span>
          </header>
          {found.status === 'succeeded' && <TaskPlayer task={found} />}
          <Timeline timeline={timelineOf(found, Date.now())} />
        </section>
      )}
    </Show>
  )
}
