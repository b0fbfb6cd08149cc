import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Refusal } from '../api/call.ts'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/words.ts'
import { Field } from './fields.tsx'
import { explain } from './states.tsx'

interface DialogProps {
  title?: string
  label?: string
  className?: string
  onClose(): void
  children: ReactNode
}

/** The browser's own dialog. The focus begins in the first field or on a secret, and returns when the dialog closes. */
export function Dialog({ title, label, className, onClose, children }: DialogProps) {
  const t = useWords(frameWords)
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('form :is(input, select, textarea), .secret button')?.focus()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={element}
      className={className}
      aria-label={label ?? title}
      onCancel={onClose}
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
    >
      {title === undefined ? (
        children
      ) : (
        <div className="body">
          <div className="dialog-head">
            <h2>{title}</h2>
            <button type="button" className="plain" onClick={onClose}>
              {t('close')}
            </button>
          </div>
          {children}
        </div>
      )}
    </dialog>
  )
}

/** An action returns this to keep the dialog open, because the operator must still read what it shows. */
export const STAY = Symbol('stay')

interface ConfirmProps {
  title: string
  action: string
  /** Name that has to be typed for an action that cannot be undone. */
  typed?: string
  danger?: boolean
  onClose(): void
  /** The dialog closes when the promise resolves, unless it resolves to `STAY`. */
  onConfirm(): Promise<unknown>
  children?: ReactNode
  isReady?: boolean
}

export function Confirm({
  title,
  action,
  typed,
  danger,
  onClose,
  onConfirm,
  children,
  isReady = true,
}: ConfirmProps) {
  const t = useWords(frameWords)
  const [word, setWord] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="flat"
        onSubmit={async (event) => {
          event.preventDefault()
          setBusy(true)
          setError(undefined)
          try {
            if ((await onConfirm()) !== STAY) onClose()
          } catch (cause) {
            setError(cause instanceof Error ? cause : new Refusal(0, ''))
          } finally {
            setBusy(false)
          }
        }}
      >
        {children}
        {typed !== undefined && (
          <Field label={t('typeName', { name: typed })}>
            <input value={word} autoComplete="off" onChange={({ target }) => setWord(target.value)} />
          </Field>
        )}
        {error !== undefined && (
          <p className="notice bad" role="alert">
            {explain(error, t)}
          </p>
        )}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button
            type="submit"
            className={danger ? 'button danger' : 'button primary'}
            disabled={isBusy || !isReady || (typed !== undefined && word !== typed)}
          >
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
