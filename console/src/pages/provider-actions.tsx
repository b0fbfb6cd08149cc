import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Reply } from '../api/call.ts'
import { useChange } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import { Confirm } from '../parts/dialog.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { providerWords } from '../words/providers.ts'
import { useWords } from '../words/words.ts'

export type Provider = Reply<'GET /providers'>['data'][number]

interface ProviderActionsProps {
  provider: Provider
  isSwitching: boolean
  onSwitch(state: 'active' | 'disabled'): void
}

/** Changes a provider of the store; a provider of `sluice.yaml` is changed in that file. */
export function ProviderActions({ provider, isSwitching, onSwitch }: ProviderActionsProps) {
  const { name, source, state, base_url } = provider
  const t = useWords(providerWords)
  const mayDisable = useMay('operator')
  const mayChange = useMay('owner')
  const [open, setOpen] = useState<'edit' | 'remove'>()
  const update = useChange('PATCH /providers/{id}')
  const remove = useChange('DELETE /providers/{id}')
  const close = () => setOpen(undefined)
  if (source !== 'store' || state === 'shadowed') return null
  return (
    <>
      {mayChange && (
        <>
          <button type="button" className="plain" onClick={() => setOpen('edit')}>
            {t('edit')}
          </button>
          <Link to="/models" search={{ view: 'add', provider: name } as never}>
            {t('addModels')}
          </Link>
        </>
      )}
      {mayDisable && (
        <button
          type="button"
          className="plain"
          disabled={isSwitching}
          onClick={() => onSwitch(state === 'active' ? 'disabled' : 'active')}
        >
          {t(state === 'active' ? 'disable' : 'enable')}
        </button>
      )}
      {mayChange && (
        <button type="button" className="plain bad" onClick={() => setOpen('remove')}>
          {t('remove')}
        </button>
      )}
      {open === 'edit' && (
        <FormDialog
          title={`${t('edit')}: ${name}`}
          action={t('save')}
          fields={[
            { name: 'baseUrl', label: t('address'), hint: t('addressHint'), value: base_url },
            { name: 'key', label: t('key'), hint: t('newKeyHint'), type: 'password', isOptional: true },
          ]}
          onClose={close}
          onSubmit={({ baseUrl, key }) =>
            update.mutateAsync({
              id: name,
              body: { base_url: baseUrl, ...(key && { api_key: key }) } as never,
            })
          }
        />
      )}
      {open === 'remove' && (
        <Confirm
          title={`${t('remove')}: ${name}`}
          action={t('remove')}
          typed={name}
          danger
          onClose={close}
          onConfirm={() => remove.mutateAsync({ id: name })}
        >
          <p>{t('removeAbout')}</p>
        </Confirm>
      )}
    </>
  )
}
