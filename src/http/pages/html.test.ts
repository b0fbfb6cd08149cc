import { describe, expect, it } from 'vitest'
import { html, sentence } from './html.ts'

describe('html', () => {
  it('escapes every value', () => {
    expect(html`<p title="${'"\'>'}">${'<script>&'}</p>`.text).toBe(
      '<p title="&quot;&#39;&gt;">&lt;script&gt;&amp;</p>',
    )
  })

  it('takes markup, lists and nothing', () => {
    const rows = ['a', '<b>'].map((row) => html`<li>${row}</li>`)
    expect(html`<ul>${rows}</ul>${undefined}${false}${0}`.text).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>0')
  })
})

describe('sentence', () => {
  it('marks code and escapes inside and outside of it', () => {
    expect(sentence('Send `<key>` & wait.').text).toBe('Send <code>&lt;key&gt;</code> &amp; wait.')
  })

  it('makes links to places of this server, and to no other', () => {
    expect(sentence('See [Get & more](/docs/video#getTask), then [<b>](#b).').text).toBe(
      'See <a href="/docs/video#getTask">Get &amp; more</a>, then <a href="#b">&lt;b&gt;</a>.',
    )
    const other = '[x](javascript:alert(1)) [y](https://a.example) [z](//a.example)'
    expect(sentence(other).text).toBe(other)
  })

  it('keeps a text without code', () => {
    expect(sentence('Wait.').text).toBe('Wait.')
  })
})
