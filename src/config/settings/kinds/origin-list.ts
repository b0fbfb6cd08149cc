import type { Kind } from './kind.ts'

export const originList: Kind<readonly string[]> = {
  takes: 'origins of web pages separated by commas, such as https://app.example.com, http://localhost:3000',
  parse(text) {
    const origins = text.split(',').map((origin) => origin.trim())
    for (const origin of origins) {
      const fault = faultOf(origin)
      if (fault !== undefined) return fault
    }
    return { value: origins }
  },
}

/** The gateway compares origins as texts, so an origin has to be written as browsers write it. */
function faultOf(given: string): { wrong: string; fix?: string } | undefined {
  if (given === '') return { wrong: 'has an empty entry' }
  const url = /^https?:\/\//i.test(given) ? URL.parse(given) : null
  if (url === null) return { wrong: `has the entry "${given}", which is not an http:// or https:// origin` }
  if (url.username !== '' || url.password !== '') return { wrong: 'carries credentials' }
  return url.origin === given
    ? undefined
    : { wrong: `has the entry "${given}", which is not an origin`, fix: `Write ${url.origin} for it.` }
}
