import type { StreamError } from '@sluice/dialects/canonical/reply-event'
import type { Relay } from '../../src/app/text/contract/relay.ts'

/** A relay that obeys the chunks `wait`, `start`, `end`, `end early`, `end large`, `fail` and `throw`; others are content. */
export class ScriptedRelay implements Relay {
  state: Relay['state'] = 'waiting'
  failure: StreamError | undefined
  tokens: Relay['tokens']
  outputBytes = 0
  readonly losses = []
  endedEarly = false
  throwsAtClose = false
  reasoning: Relay['reasoning']
  hostedCalls = 0
  mayReason = false
  awaitsCount = false
  isCounted = false
  reading: Relay['reading']
  readOn: Relay['readOn']

  push(chunk: Buffer): string {
    const word = chunk.toString()
    if (word === 'throw') throw new Error('a fault of ours')
    if (word === 'wait') return ''
    if (word === 'fail') return this.fail({ kind: 'busy', message: 'Later.' })
    this.state = word.startsWith('end') ? 'ended' : 'flowing'
    this.endedEarly = word === 'end early'
    if (word !== 'start') this.outputBytes += word.length
    return word === 'end large' ? 'x'.repeat(200_000) : `<${word}>`
  }

  close(): string {
    if (this.throwsAtClose) throw new Error('a fault of ours')
    return this.fail({ kind: 'broken', message: 'It broke off.' })
  }

  fail(failure: StreamError): string {
    this.state = 'failed'
    this.failure = failure
    return `<failed: ${failure.kind}>`
  }

  endWait(): string {
    this.state = 'ended'
    this.endedEarly = true
    return '<settled>'
  }

  keepAlive(): string {
    return '<alive>'
  }
}
