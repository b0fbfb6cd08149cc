import type { Kind } from './kind.ts'

export const timeZone: Kind<string> = {
  takes: 'a time zone name such as UTC, Europe/Berlin or Asia/Shanghai',
  parse(text) {
    if (text === 'UTC') return { value: text }
    try {
      new Intl.DateTimeFormat('en', { timeZone: text })
      return { value: text }
    } catch {
      return { wrong: 'is not a known time zone' }
    }
  },
}
