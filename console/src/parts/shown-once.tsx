import { customerWords } from '../words/customers.ts'
import { useWords } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Copy } from './values.tsx'

/** A secret that the gateway shows once. */
export function ShownOnce({ title, secret, onClose }: { title: string; secret: string; onClose(): void }) {
  const t = useWords(customerWords)
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="notice ok secret">
        <Copy text={secret} />
      </p>
      <p className="muted">{t('onceHint')}</p>
      <div className="actions">
        <button type="button" className="button primary" onClick={onClose}>
          {t('done')}
        </button>
      </div>
    </Dialog>
  )
}
