import type { ReactNode } from 'react'
import { Refusal } from '../api/call.ts'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/words.ts'

export function Skeleton() {
  const t = useWords(frameWords)
  return (
    <div className="skeleton" role="status" aria-label={t('loading')}>
      <i />
      <i />
      <i />
      <i />
    </div>
  )
}

/** Tells that a list is empty; the children may explain why, or offer a first step. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <b>{title}</b>
      {children}
    </div>
  )
}

export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const t = useWords(frameWords)
  return (
    <div className="notice bad" role="alert">
      <span>
        <b>{t('failed')}</b> {explain(error, t)}
        {error instanceof Refusal && error.requestId !== '' && (
          <span className="muted">
            {' '}
            {t('requestId')} <code>{error.requestId}</code>
          </span>
        )}
      </span>
      {onRetry !== undefined && (
        <button type="button" className="button" onClick={onRetry}>
          {t('tryAgain')}
        </button>
      )}
    </div>
  )
}

export function explain(error: Error, t: (key: 'unreachable' | 'forbidden' | 'notThere') => string): string {
  if (!(error instanceof Refusal)) return error.message
  if (error.status === 0) return t('unreachable')
  if (/^There is no \w+ \w+_\w+\.$/.test(error.message)) return `${error.message} ${t('notThere')}`
  return error.status === 403 && error.message === 'forbidden' ? t('forbidden') : error.message
}

interface Read<Data> {
  data: Data | undefined
  error: Error | null
  refetch(): unknown
}

/** The content of a read in its three states. */
export function Show<Data>({ of, children }: { of: Read<Data>; children(data: Data): ReactNode }) {
  if (of.data !== undefined) return children(of.data)
  if (of.error !== null) return <Failure error={of.error} onRetry={() => of.refetch()} />
  return <Skeleton />
}
