import type { Language } from '../../domain/assets/verification-request.ts'

/** The first language of the list that we speak, by the browser's own liking; English for everybody else. */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  const wishes = (acceptLanguage ?? '').split(',', WISHES_MAX).map(readWish)
  const liked = wishes.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight)
  return liked.map(({ tag }) => languageOf(tag)).find((language) => language !== undefined) ?? 'en'
}

/** More than any browser sends. */
const WISHES_MAX = 20

function readWish(wish: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = wish.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  const weight = quality === undefined ? 1 : Number(quality.slice(2))
  return { tag, weight: Number.isFinite(weight) ? weight : 0 }
}

function languageOf(tag: string): Language | undefined {
  const [language, ...more] = tag.split('-')
  if (language === 'en') return 'en'
  if (language !== 'zh') return undefined
  if (more.includes('hans')) return 'zh'
  return more.some((part) => TRADITIONAL.has(part)) ? 'zh-Hant' : 'zh'
}

/** The script itself, and where it is the usual one. */
const TRADITIONAL: ReadonlySet<string> = new Set(['hant', 'tw', 'hk', 'mo'])
