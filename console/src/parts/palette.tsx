import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { PAGES } from './navigate.ts'
import { type Found, useFound } from './palette-search.ts'

interface Props {
  isOpen: boolean
  onOpen(): void
  onClose(): void
}

/** Finds pages and objects by name or id; and lists the shortcuts of the frame. */
export function Palette({ isOpen, onOpen, onClose }: Props) {
  const navigate = useNavigate()
  const [isHelpOpen, setHelpOpen] = useState(false)
  useShortcuts({
    open: onOpen,
    help: () => setHelpOpen(true),
    go: (path) => void navigate({ href: `/console${path}` }),
  })
  const t = useWords(frameWords)
  return (
    <>
      {isOpen && <PaletteDialog onClose={onClose} />}
      {isHelpOpen && (
        <Dialog title={t('shortcuts')} onClose={() => setHelpOpen(false)}>
          <dl className="facts">
            {PAGES.map(({ name, letter }) => (
              <div key={name} className="contents">
                <dt>
                  <span className="key">g</span> <span className="key">{letter}</span>
                </dt>
                <dd>{t(name)}</dd>
              </div>
            ))}
            <dt>
              <span className="key">Ctrl K</span>
            </dt>
            <dd>{t('search')}</dd>
            <dt>
              <span className="key">/</span>
            </dt>
            <dd>{t('firstFilter')}</dd>
          </dl>
        </Dialog>
      )}
    </>
  )
}

function PaletteDialog({ onClose }: { onClose(): void }) {
  const t = useWords(frameWords)
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const wanted = text.trim().toLowerCase()
  const objects = useFound(text)
  const pages = PAGES.map(({ name, path }) => ({ path, name: t(name), kind: 'page' as const })).filter(
    ({ name }) => name.toLowerCase().includes(wanted),
  )
  const found: Found[] = [...objects.filter(({ kind }) => kind === 'object'), ...pages].concat(
    objects.filter(({ kind }) => kind !== 'object'),
  )
  const go = (index: number) => {
    const target = found[index]
    if (target === undefined) return
    onClose()
    void navigate({ href: `/console${target.path}` })
  }
  return (
    <Dialog label={t('search')} className="palette" onClose={onClose}>
      <input
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `palette-${chosen}` : undefined}
        aria-label={t('searchHint')}
        placeholder={t('searchHint')}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setChosen(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(chosen)
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
          if (step === 0) return
          event.preventDefault()
          setChosen((chosen + step + found.length) % Math.max(1, found.length))
        }}
      />
      <div id="palette-list" role="listbox" aria-label={t('pages')}>
        {found.map(({ path, name, kind }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above.
          <div
            key={path}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => go(index)}
          >
            <span className="cut">{name}</span>
            <span className="muted">{t(kind)}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="empty">{t('nothingFound')}</p>}
    </Dialog>
  )
}

const PREFIX_MS = 1_000

function useShortcuts(actions: { open(): void; help(): void; go(path: string): void }) {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    let prefixAtMs = 0
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        latest.current.open()
        return
      }
      const target = event.target instanceof Element ? event.target : null
      if (
        target?.closest('input, textarea, select, dialog') ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      )
        return
      const page = PAGES.find(({ letter }) => letter === event.key)
      if (event.timeStamp - prefixAtMs < PREFIX_MS && page !== undefined) latest.current.go(page.path)
      prefixAtMs = event.key === 'g' ? event.timeStamp : 0
      if (event.key === '?') latest.current.help()
      if (event.key !== '/') return
      event.preventDefault()
      document.querySelector<HTMLElement>('.filters input, .filters select')?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
