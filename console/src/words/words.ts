import { useSyncExternalStore } from 'react'

/** English, Simplified Chinese, Traditional Chinese: a text that lacks one of these languages does not compile. */
export type Row = readonly [english: string, simplified: string, traditional: string]
export type Values = Record<string, string | number>
export type Translate<Key extends string> = (key: Key, values?: Values) => string

export const LANGUAGES = ['en', 'zh', 'zh-Hant'] as const
export type Language = (typeof LANGUAGES)[number]
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  zh: '简体中文',
  'zh-Hant': '繁體中文',
}

const STORAGE_KEY = 'sluice.language'
const listeners = new Set<() => void>()
let current: Language = firstLanguage()

export function language(): Language {
  return current
}

export function chooseLanguage(next: Language): void {
  current = next
  localStorage.setItem(STORAGE_KEY, next)
  document.documentElement.lang = next
  for (const listener of listeners) listener()
}

export function useLanguage(): Language {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, language)
}

/** The texts of one page in the reader's language. */
export function useWords<Table extends Record<string, Row>>(table: Table): Translate<keyof Table & string> {
  const column = LANGUAGES.indexOf(useLanguage())
  return (key, values) => fill(table[key]?.[column] ?? String(key), values)
}

function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name] ?? ''))
}

function firstLanguage(): Language {
  const kept = localStorage.getItem(STORAGE_KEY)
  const known = LANGUAGES.find((one) => one === kept)
  if (known !== undefined) return known
  const asked = navigator.language.toLowerCase()
  if (!asked.startsWith('zh')) return 'en'
  return /hant|tw|hk|mo/.test(asked) ? 'zh-Hant' : 'zh'
}
