import type { ReactNode } from 'react'
import { customerWords } from '../words/customers.ts'
import { useWords } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Copy } from './values.tsx'

interface Props {
  title: string
  secret: string
  onClose(): void
  /** Tells what the secret is for. */
  children?: ReactNode
}

/** A secret that the gateway shows once. */
export function ShownOnce({ title, secret, onClose, children }: Props) {
  const t = useWords(customerWords)
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="notice ok secret">
        <Copy text={secret} />
      </p>
      {children}
      <p className="muted">{t('onceHint')}</p>
      <div className="actions">
        <button type="button" className="button primary" onClick={onClose}>
          {t('done')}
        </button>
      </div>
    </Dialog>
  )
}
