import { expect, it } from 'vitest'
import { withLanguage } from './driver.ts'

it.each([
  ['https://h5.example/verify', 'https://h5.example/verify?lng=en'],
  ['https://h5.example/verify?', 'https://h5.example/verify?lng=en'],
  [
    'https://h5.example/?ak=a%20b&sign=x+y/z%2F%3D=&t',
    'https://h5.example/?ak=a%20b&sign=x+y/z%2F%3D=&t&lng=en',
  ],
  ['https://h5.example/?lng=zh&ak=1', 'https://h5.example/?ak=1&lng=en'],
  ['https://h5.example/?ak=1&lng=zh&lng=zh-Hant', 'https://h5.example/?ak=1&lng=en'],
  ['https://h5.example/?lngs=1&xlng=2&lng', 'https://h5.example/?lngs=1&xlng=2&lng=en'],
  ['https://h5.example/#/scan?ak=1', 'https://h5.example/?lng=en#/scan?ak=1'],
  ['https://h5.example/?ak=1#top', 'https://h5.example/?ak=1&lng=en#top'],
])('%s becomes %s', (link, expected) => {
  expect(withLanguage(link, 'en')).toBe(expected)
})

it.each(['zh', 'en', 'zh-Hant'] as const)('%s is put in as it is', (language) => {
  expect(new URL(withLanguage('https://h5.example/?a=1', language)).searchParams.get('lng')).toBe(language)
})
