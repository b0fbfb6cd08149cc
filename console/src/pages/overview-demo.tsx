import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useChange, useRead } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { isSandbox } from '../format/sandbox.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Failure } from '../parts/states.tsx'
import { overviewWords } from '../words/overview.ts'
import { useWords } from '../words/words.ts'

/** Offers an owner the demo while the sandbox serves, and the only customer, if any, is the one of the first start. */
export function FillDemo() {
  const t = useWords(overviewWords)
  const isOwner = useMay('owner')
  const providers = useRead('GET /providers').data?.data ?? []
  const customers = useRead('GET /organizations', { query: { limit: 100 } }).data?.data
  const made = useRead('GET /audit', { query: { action: 'demo.create', limit: 100 } }).data?.data
  const fill = useChange('POST /demo')
  const isAlone = customers?.every(({ id }) => made?.some(({ subject }) => subject === id))
  if (!isOwner || !isSandbox(providers) || !isAlone) return null
  return (
    <>
      <button type="button" className="button" disabled={fill.isPending} onClick={() => fill.mutate({})}>
        {t('fillDemo')}
      </button>
      {fill.isPending && <span role="status">{t('fillingDemo')}</span>}
      {fill.error !== null && <Failure error={fill.error} />}
    </>
  )
}

const FILLING_EVERY_MS = 2_000

/** Shows that figures are made up, with a button that removes them. */
export function RemoveDemo() {
  const t = useWords(overviewWords)
  const isOwner = useMay('owner')
  const [isOpen, setOpen] = useState(false)
  const client = useQueryClient()
  const demo = useRead('GET /demo')
  const remove = useChange('DELETE /demo')
  const isFilling = demo.data?.filling === true
  // All figures of the page are read again while the demo is being filled.
  useEffect(() => {
    if (!isFilling) return
    const timer = setInterval(() => void client.invalidateQueries(), FILLING_EVERY_MS)
    return () => clearInterval(timer)
  }, [isFilling, client])
  if (demo.data === undefined || demo.data.organization_ids.length === 0) return null
  return (
    <div className="notice">
      <span role="status">{isFilling ? t('fillingDemo') : t('hasDemo')}</span>
      {isOwner && !isFilling && (
        <button type="button" className="button" onClick={() => setOpen(true)}>
          {t('removeDemo')}
        </button>
      )}
      {isOpen && (
        <Confirm
          title={t('removeDemo')}
          action={t('removeDemo')}
          danger
          onClose={() => setOpen(false)}
          onConfirm={() => remove.mutateAsync({})}
        >
          <p>{t('removeDemoAbout')}</p>
        </Confirm>
      )}
    </div>
  )
}
