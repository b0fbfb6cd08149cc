import { useMutation } from '@tanstack/react-query'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useRead } from '../api/hooks.ts'
import { useMay, useSession } from '../api/session.ts'
import { zoneName } from '../format/format.ts'
import { isSandbox } from '../format/sandbox.ts'
import icon from '../icon.svg'
import { frameWords } from '../words/frame.ts'
import { useWords } from '../words/words.ts'
import { AtRisk } from './at-risk.tsx'
import { LanguageSelect, ThemeSelect } from './frame-menus.tsx'
import { PageIcon } from './icons.tsx'
import { PAGES } from './navigate.ts'
import { Palette } from './palette.tsx'
import { Empty, Failure } from './states.tsx'

export function Frame() {
  const t = useWords(frameWords)
  const session = useSession()
  const leaving = useMutation({ mutationFn: session.leave })
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)

  // A screen reader hears the new page, and the next Tab begins in it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new path moves the focus.
  useEffect(() => {
    setMenuOpen(false)
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
  }, [path])

  return (
    <div className="frame">
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <aside className="side" data-open={isMenuOpen || undefined}>
        <Link to="/" className="brand">
          <img src={icon} alt="" width="24" height="24" />
          Sluice
        </Link>
        <nav className="nav" aria-label={t('pages')}>
          {PAGES.map(({ name, path: target, letter }) => (
            <Link
              key={name}
              to={target}
              activeOptions={{ exact: target === '/', includeSearch: false }}
              search={{}}
              onClick={() => setMenuOpen(false)}
            >
              <PageIcon name={name} />
              <span className="name">{t(name)}</span>
              <span className="key" aria-hidden="true">
                g {letter}
              </span>
            </Link>
          ))}
        </nav>
        <div className="side-foot">
          <span>
            <b>{session.actor}</b> · {t(session.role)}
          </span>
          <LanguageSelect />
          <ThemeSelect />
          <button type="button" className="button" onClick={() => leaving.mutate()}>
            {t('signOut')}
          </button>
          <span>{t('zone', { zone: zoneName() })}</span>
        </div>
      </aside>
      {isMenuOpen && (
        <button type="button" className="veil" aria-label={t('close')} onClick={() => setMenuOpen(false)} />
      )}
      <header className="top">
        <button
          type="button"
          className="button menu-button"
          aria-expanded={isMenuOpen}
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          {t('menu')}
        </button>
        <AtRisk />
        <span className="spread" />
        <button type="button" className="button" onClick={() => setPaletteOpen(true)}>
          {t('search')} <span className="key">Ctrl K</span>
        </button>
      </header>
      <main className="main" id="main" ref={main} tabIndex={-1}>
        {leaving.error !== null && <Failure error={leaving.error} />}
        <SandboxBanner />
        <Outlet />
      </main>
      <Palette
        isOpen={isPaletteOpen}
        onOpen={() => setPaletteOpen(true)}
        onClose={() => setPaletteOpen(false)}
      />
    </div>
  )
}

const SANDBOX_EVERY_MS = 60_000

/** The sandbox answers like a vendor: only this line tells an operator that nothing is real. */
function SandboxBanner() {
  const t = useWords(frameWords)
  const providers = useRead('GET /providers', {}, { everyMs: SANDBOX_EVERY_MS }).data?.data ?? []
  const mayAdd = useMay('owner')
  if (!isSandbox(providers)) return null
  return (
    <div className="notice warn">
      <span role="status">{t('sandbox')}</span>
      {mayAdd && (
        <Link to="/models" search={{ view: 'add' } as never}>
          {t('addProvider')}
        </Link>
      )}
    </div>
  )
}

export function NotFound() {
  const t = useWords(frameWords)
  return (
    <Empty title={t('notFound')}>
      <Link to="/">{t('overview')}</Link>
    </Empty>
  )
}

interface PageHeadProps {
  title: string
  about?: string | undefined
  crumb?: React.ReactNode
  children?: React.ReactNode
}

export function PageHead({ title, about, crumb, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Sluice`
  }, [title])
  return (
    <div className="page-head">
      <div>
        {crumb !== undefined && <div className="crumb">{crumb}</div>}
        <h1>{title}</h1>
        {about !== undefined && <p className="muted">{about}</p>}
      </div>
      {children !== undefined && <div className="actions">{children}</div>}
    </div>
  )
}
