import { useState } from 'react'
import { useChange } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { countColumn, textColumn } from '../parts/columns.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Failure, Skeleton } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { moneyWords } from '../words/money.ts'
import { useWords } from '../words/words.ts'

/** Checks the invariants of the ledger, as `sluice ledger check` does, but only as long as one request may take. */
export function LedgerCheck() {
  const t = useWords(moneyWords)
  const mayCheck = useMay('operator')
  const check = useChange('POST /ledger/check')
  const [isOpen, setOpen] = useState(false)
  const isWhole = check.data?.unchecked_invariants.length === 0
  const isSound = check.data?.violations.length === 0
  if (!mayCheck) return null
  return (
    <>
      <button
        type="button"
        className="button"
        onClick={() => {
          setOpen(true)
          check.mutate({})
        }}
      >
        {t('check')}
      </button>
      {isOpen && (
        <Dialog title={t('check')} onClose={() => setOpen(false)}>
          {check.isPending && (
            <>
              <p role="status">{t('checkRunning')}</p>
              <progress aria-label={t('checkRunning')} />
              <Skeleton />
            </>
          )}
          {check.error !== null && <Failure error={check.error} />}
          {check.data !== undefined && (
            <p className={`notice ${isSound ? 'ok' : 'bad'}`} role="status">
              {isSound
                ? t(isWhole ? 'checkFine' : 'checkPartFine')
                : t('checkBad', { count: check.data.violations.length })}
            </p>
          )}
          {check.data !== undefined && check.data.unchecked_invariants.length > 0 && (
            <p className="notice warn">
              {t('checkPart', { list: check.data.unchecked_invariants.join(', ') })}
            </p>
          )}
          {check.data !== undefined && check.data.violations.length > 0 && (
            <Table
              name="faults"
              label={t('check')}
              rows={check.data.violations}
              keyOf={({ invariant, subject }) => `${invariant}${subject}`}
              columns={[
                countColumn('invariant', t('kind')),
                textColumn('subject', t('entry')),
                textColumn('message', t('note')),
              ]}
            />
          )}
        </Dialog>
      )}
    </>
  )
}
