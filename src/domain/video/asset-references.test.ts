import { expect, test } from 'vitest'
import { A, audio, image, linkTo, media, requestOf, text } from '../../../test/video/prepare.ts'
import { assetIdOf, assetReferences, withResolvedUrls } from './asset-references.ts'

const content = [
  text('asset://no'),
  undefined,
  media('image', 'asset://cat'),
  image('a.png'),
  media('video', 'asset://film'),
  audio('a.mp3'),
]
const request = requestOf({ model: A, content: [...content, media('image', 'asset://cat')] })

test('every media item with an asset is listed, with its index in the sent content', () => {
  expect(assetReferences(request)).toEqual([
    { id: 'cat', kind: 'image', index: 2 },
    { id: 'film', kind: 'video', index: 4 },
    { id: 'cat', kind: 'image', index: 6 },
  ])
})

test('resolved URLs replace the references, and nothing else changes', () => {
  const resolved = withResolvedUrls(
    request,
    new Map([
      [2, linkTo('cat-1.png')],
      [4, 'asset://of-the-vendor'],
      [6, linkTo('cat-2.png')],
    ]),
  )
  const urls = resolved.items.map((item) => (item.kind === 'text' ? item.text : item.url))
  expect(urls).toEqual([
    'asset://no',
    linkTo('cat-1.png'),
    linkTo('a.png'),
    'asset://of-the-vendor',
    linkTo('a.mp3'),
    linkTo('cat-2.png'),
  ])
  expect({ ...resolved, items: [] }).toEqual({ ...request, items: [] })
  expect(assetReferences(request)).toHaveLength(3)
})

test.each([
  ['asset://a', 'a'],
  ['asset://a/b?c', 'a/b?c'],
  ['asset://', undefined],
  ['asset:a', undefined],
  ['https://asset.example', undefined],
])('%s names the asset %s', (url, id) => {
  expect(assetIdOf(url)).toBe(id)
})
