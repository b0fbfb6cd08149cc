import type { StreamError } from './reply-event.ts'

export const BROKEN_OFF: StreamError = { kind: 'broken', message: 'The provider broke off its answer.' }

export const EVENT_UNREADABLE: StreamError = {
  kind: 'broken',
  message: 'The provider sent an event that cannot be read.',
}

export const EVENT_TOO_LARGE: StreamError = {
  kind: 'too-large',
  message: 'The provider sent an event that is too large. The reply is charged.',
}

export const REPLY_TOO_LARGE: StreamError = {
  kind: 'too-large',
  message: 'The provider sent more than fits into one reply. The reply is charged.',
}
