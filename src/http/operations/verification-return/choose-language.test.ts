import { expect, it } from 'vitest'
import { chooseLanguage } from './present-problem.ts'

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['de-DE,de;q=0.9', 'en'],
  ['en-GB,en;q=0.9,zh;q=0.8', 'en'],
  ['zh', 'zh'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['zh-SG', 'zh'],
  ['zh-Hans-HK', 'zh'],
  ['zh-TW,zh;q=0.9,en-US;q=0.8', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh-Hant', 'zh-Hant'],
  ['ZH-hant-tw', 'zh-Hant'],
  ['fr, zh-TW;q=0.5, en;q=0.4', 'zh-Hant'],
  ['en;q=0.1, zh;q=0.2', 'zh'],
  ['zh;q=0, en;q=0.1', 'en'],
  ['zh;q=x', 'en'],
  [`${'de,'.repeat(10_000)}zh`, 'en'],
])('%s: %s', (acceptLanguage, language) => {
  expect(chooseLanguage(acceptLanguage)).toBe(language)
})
