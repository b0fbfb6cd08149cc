import { expect, it } from 'vitest'
import { clipLink } from '../../../../sandbox/clips/clip-link.ts'
import { makeClip } from '../../../../sandbox/clips/make-clip.ts'
import { openVendors, START_MS } from '../open-vendors.ts'

const SPEC = { width: 640, height: 640, seconds: 4, label: '3f7ac1' }
const CLIP = makeClip(SPEC)

async function linkOf(part = 'vendor-a') {
  const vendors = await openVendors()
  return { vendors, link: clipLink(SPEC, { url: `${vendors.url}/${part}`, nowMs: START_MS }) }
}

it.each(['vendor-a', 'vendor-b'])('200: %s serves the whole clip', async (part) => {
  const { link } = await linkOf(part)
  const response = await fetch(link)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('video/mp4')
  expect(response.headers.get('accept-ranges')).toBe('bytes')
  expect(Buffer.from(await response.arrayBuffer()).equals(CLIP)).toBe(true)
})

it('200: HEAD says how large it is and sends nothing', async () => {
  const { link } = await linkOf()
  const response = await fetch(link, { method: 'HEAD' })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-length')).toBe(String(CLIP.length))
  expect(await response.text()).toBe('')
})

it('206: a piece', async () => {
  const { link } = await linkOf()
  const response = await fetch(link, { headers: { range: 'bytes=100-199' } })
  expect(response.status).toBe(206)
  expect(response.headers.get('content-range')).toBe(`bytes 100-199/${CLIP.length}`)
  expect(Buffer.from(await response.arrayBuffer()).equals(CLIP.subarray(100, 200))).toBe(true)
})

it('416: a piece behind the end', async () => {
  const { link } = await linkOf()
  const response = await fetch(link, { headers: { range: `bytes=${CLIP.length}-` } })
  expect(response.status).toBe(416)
  expect(response.headers.get('content-range')).toBe(`bytes */${CLIP.length}`)
})

it('403: a changed link, and a link of yesterday', async () => {
  const { vendors, link } = await linkOf()
  expect(await code(link.replace('-4s-', '-5s-'))).toEqual([403, 'SignatureDoesNotMatch'])
  expect(await code(link.replace('expires=86400', 'expires=99999'))).toEqual([403, 'SignatureDoesNotMatch'])
  vendors.passRealMs(86_400_000 - 1)
  expect((await fetch(link)).status).toBe(200)
  vendors.passRealMs(1)
  expect(await code(link)).toEqual([403, 'AccessDenied'])
})

it.each([
  '0x0-4s-3f7ac1.mp4',
  '641x640-4s-3f7ac1.mp4',
  '640x640-61s-3f7ac1.mp4',
  '640x640-0s-3f7ac1.mp4',
  'x',
])('404: %s is no clip', async (name) => {
  const { vendors } = await linkOf()
  expect(await code(`${vendors.url}/vendor-a/clips/${name}`)).toEqual([404, 'NoSuchKey'])
})

async function code(link: string): Promise<unknown[]> {
  const response = await fetch(link)
  const answer: { error?: { code?: string } } = JSON.parse(await response.text())
  return [response.status, answer.error?.code]
}
