export const LANGUAGES = ['zh', 'en', 'zh-Hant'] as const
export type Language = (typeof LANGUAGES)[number]

/** Reads a language; the default is Chinese, as on the vendor's page. */
export function readLanguage(text: string | null): Language {
  return LANGUAGES.find((language) => language === text) ?? 'zh'
}

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  zh: '简体中文',
  en: 'English',
  'zh-Hant': '繁體中文',
}

/** Language tags of HTML. */
export const LANGUAGE_TAGS: Readonly<Record<Language, string>> = {
  zh: 'zh-Hans',
  en: 'en',
  'zh-Hant': 'zh-Hant',
}
