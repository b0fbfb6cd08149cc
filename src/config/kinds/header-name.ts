import type { Kind } from './kind.ts'

export const headerName: Kind<string> = {
  takes: 'the name of an HTTP header, in lower case',
  secret: false,
  parse: (text) => (/^[a-z\d][a-z\d-]*$/.test(text) ? { value: text } : { wrong: 'is not a header name' }),
}
