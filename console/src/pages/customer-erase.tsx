import type { Reply } from '../api/call.ts'
import { useChange, useList } from '../api/hooks.ts'
import { textColumn, timeColumn } from '../parts/columns.tsx'
import { Confirm, Dialog, STAY } from '../parts/dialog.tsx'
import { ListTable, Table } from '../parts/table.tsx'
import { customerWords } from '../words/customers.ts'
import { useWords } from '../words/words.ts'

/** Erases a customer once its name is typed, and lists the data that vendors still have. */
export function EraseCustomer({ id, name, onClose }: { id: string; name: string; onClose(): void }) {
  const t = useWords(customerWords)
  const erase = useChange('DELETE /organizations/{id}')
  if (erase.data !== undefined) return <Receipt erased={erase.data} onClose={onClose} />
  return (
    <Confirm
      title={`${t('erase')}: ${name}`}
      action={t('erase')}
      danger
      typed={name}
      onClose={onClose}
      onConfirm={async () => {
        await erase.mutateAsync({ id })
        return STAY
      }}
    >
      <p>{t('eraseAbout')}</p>
    </Confirm>
  )
}

function Receipt({ erased, onClose }: { erased: Reply<'DELETE /organizations/{id}'>; onClose(): void }) {
  const t = useWords(customerWords)
  const rows = erased.groups.map(({ group_id, assets, removing, to_remove_by_hand: byHand }) => ({
    group_id,
    provider: removing.provider,
    assets: assets.length,
    removing: [...removing.asset_ids, removing.group_id].filter((one) => one !== null).join(' '),
    byHand: [...byHand.asset_ids, byHand.group_id].filter((one) => one !== null).join(' '),
  }))
  return (
    <Dialog title={t('erasedTitle')} onClose={onClose}>
      <p>{t('erasedAbout')}</p>
      {rows.length > 0 && (
        <Table
          name="erased"
          label={t('erasedTitle')}
          rows={rows}
          keyOf={({ group_id }) => group_id}
          columns={[
            textColumn('group_id', t('person')),
            textColumn('provider', t('provider')),
            textColumn('removing', t('removing')),
            textColumn('byHand', t('byHand')),
          ]}
        />
      )}
      <div className="actions">
        <button type="button" className="button primary" onClick={onClose}>
          {t('done')}
        </button>
      </div>
    </Dialog>
  )
}

/** Shows when and by whom a customer was erased, and the remaining data. */
export function ErasedNotice({ id }: { id: string }) {
  const t = useWords(customerWords)
  const list = useList('GET /audit', { organization_id: id, action: 'organization.erase' })
  return (
    <section className="card">
      <header>
        <h2>{t('erasedTitle')}</h2>
      </header>
      <p className="pad">{t('erasedAbout')}</p>
      <ListTable
        name="erasures"
        label={t('erasedTitle')}
        list={list}
        empty={t('erasedNoAudit')}
        keyOf={(row) => row.id}
        columns={[
          timeColumn('at', t('erasedAt')),
          textColumn('actor', t('erasedBy')),
          {
            name: 'detail',
            title: t('detail'),
            cell: ({ detail }) => <code>{JSON.stringify(detail)}</code>,
          },
        ]}
      />
    </section>
  )
}
