import { expect, it } from 'vitest'
import { webLink } from './web-link.ts'

it.each(['https://cdn.example/v.mp4?sign=a', 'http://127.0.0.1:1/v.mp4', 'HTTPS://cdn.example/'])(
  '%j is a link',
  (link) => {
    expect(webLink(link)).toBe(link)
  },
)

it.each(['', 'None', 'javascript:alert(1)', 'file:///etc/hosts', '//cdn.example/v', 'https://', null, 5, {}])(
  '%j is not a link',
  (value) => {
    expect(webLink(value)).toBeUndefined()
  },
)
