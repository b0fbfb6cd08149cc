import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { count, duration, moment, shortId, usd } from '../format/format.ts'
import { frameWords } from '../words/frame.ts'
import { stateWords } from '../words/states.ts'
import { useLanguage, useWords } from '../words/words.ts'
import { pathOf } from './navigate.ts'

/** The dash of a value that is not there. A row on a phone leaves it out. */
export function None() {
  return <span className="muted none">–</span>
}

/** Money of the ledger: millionths of a US dollar. */
export function Usd({ micros, signed }: { micros: number; signed?: boolean }) {
  const locale = useLanguage()
  const sign = signed === true && micros > 0 ? '+' : ''
  return (
    <span className={signed === true && micros < 0 ? 'bad' : undefined}>{sign + usd(micros, locale)}</span>
  )
}

export function Count({ value }: { value: number }) {
  return <>{count(value, useLanguage())}</>
}

/** A moment in the reader's zone; the exact moment in UTC is the tooltip. */
export function Time({ iso }: { iso: string | null | undefined }) {
  const locale = useLanguage()
  if (iso === null || iso === undefined) return <None />
  return (
    <time dateTime={iso} title={iso}>
      {moment(iso, locale)}
    </time>
  )
}

export function Duration({ ms }: { ms: number }) {
  return <>{duration(ms, useLanguage())}</>
}

type State = keyof typeof stateWords

const TONES: Partial<Record<State, 'ok' | 'warn' | 'bad' | 'wait'>> = {
  succeeded: 'ok',
  active: 'ok',
  delivered: 'ok',
  kept: 'ok',
  enabled: 'ok',
  up: 'ok',
  'breaker-closed': 'ok',
  failed: 'bad',
  'given-up': 'bad',
  disabled: 'bad',
  erased: 'bad',
  revoked: 'bad',
  down: 'bad',
  'breaker-open': 'bad',
  cancelled: 'warn',
  expired: 'warn',
  resting: 'warn',
  'breaker-half-open': 'warn',
  submitting: 'wait',
  queued: 'wait',
  running: 'wait',
  processing: 'wait',
  pending: 'wait',
  waiting: 'wait',
}

/** A state as a word with a colour. An unknown word is shown unchanged. */
export function Chip({ state }: { state: string }) {
  const t = useWords(stateWords)
  const known = state in stateWords ? (state as State) : undefined
  const tone = known === undefined ? '' : (TONES[known] ?? '')
  return <span className={`chip ${tone}`}>{known === undefined ? state : t(known)}</span>
}

/** An HTTP status in the colour of its class; a stream that broke off has a good status and the colour of a warning. */
export function StatusChip({ status, isBroken = false }: { status: number | null; isBroken?: boolean }) {
  if (status === null) return <span className="chip">–</span>
  const tone = status >= 500 ? 'bad' : status >= 400 || isBroken ? 'warn' : 'ok'
  return <span className={`chip ${tone}`}>{status}</span>
}

/** The code of an error, which leads to its section in the documentation. */
export function ErrorCode({ code }: { code: string }) {
  return (
    <a href={`/docs/errors#error-${encodeURIComponent(code)}`} target="_blank" rel="noreferrer">
      {code}
    </a>
  )
}

/** An id, with a link if its object has a page. Erased objects have no name any more: their id is shown. */
export function Id({ id, name }: { id: string | null | undefined; name?: string | undefined }) {
  if (id === null || id === undefined || id === '') return <None />
  const path = pathOf(id)
  const text = name || shortId(id)
  const style = name ? undefined : 'mono'
  if (path === undefined)
    return (
      <span className={style} title={id}>
        {text}
      </span>
    )
  const [to, query = ''] = path.split('?')
  return (
    <Link
      to={to as string}
      search={Object.fromEntries(new URLSearchParams(query)) as never}
      title={id}
      className={style}
    >
      {text}
    </Link>
  )
}

export function Copy({ text, shown }: { text: string; shown?: string }) {
  const t = useWords(frameWords)
  const [isCopied, setCopied] = useState(false)
  return (
    <button
      type="button"
      className="copy"
      title={t('copy')}
      onClick={async () => {
        await navigator.clipboard.writeText(text)
        setCopied(true)
        setTimeout(() => setCopied(false), 1_500)
      }}
    >
      <span className="cut">{shown ?? text}</span>
      <span className="muted" role="status">
        {isCopied ? t('copied') : <CopyIcon />}
      </span>
    </button>
  )
}

function CopyIcon() {
  return (
    <svg aria-hidden="true" width="14" height="14" viewBox="0 0 16 16" fill="none" stroke="currentColor">
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
    </svg>
  )
}

export function Figure({ name, value, below }: { name: string; value: string; below?: string }) {
  return (
    <div className="card figure">
      <dt>{name}</dt>
      <dd>
        {value}
        {below !== undefined && <small>{below}</small>}
      </dd>
    </div>
  )
}
