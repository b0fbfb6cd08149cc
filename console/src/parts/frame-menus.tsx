import { useState } from 'react'
import { frameWords } from '../words/frame.ts'
import { chooseLanguage, LANGUAGE_NAMES, LANGUAGES, useLanguage, useWords } from '../words/words.ts'
import { chooseTheme, chosenTheme, THEMES, type Theme } from './theme.ts'

export function LanguageSelect() {
  const t = useWords(frameWords)
  const chosen = useLanguage()
  return (
    <select
      aria-label={t('language')}
      className="small-select"
      value={chosen}
      onChange={({ target }) => {
        const next = LANGUAGES.find((one) => one === target.value)
        if (next !== undefined) chooseLanguage(next)
      }}
    >
      {LANGUAGES.map((one) => (
        <option key={one} value={one}>
          {LANGUAGE_NAMES[one]}
        </option>
      ))}
    </select>
  )
}

const THEME_WORDS = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const

export function ThemeSelect() {
  const t = useWords(frameWords)
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <select
      aria-label={t('theme')}
      className="small-select"
      value={theme}
      onChange={({ target }) => {
        chooseTheme(target.value as Theme)
        setTheme(chosenTheme())
      }}
    >
      {THEMES.map((one) => (
        <option key={one} value={one}>
          {t(THEME_WORDS[one])}
        </option>
      ))}
    </select>
  )
}
