import { warmUpEvents } from '@sluice/dialects/responses/socket/warm-up-events'
import type { PriceBook } from '../catalog/price-book.ts'
import type { Runtime } from '../runtime.ts'
import type { AnswerText } from './contract/text-command.ts'
import type { ChooseRoute } from './route/choose-route.ts'
import { requireModel } from './route/require-model.ts'

/**
 * Answers a warm-up, which asks for no output, without a vendor and free of charge. The model is checked, and the next
 * request of the connection can continue from the response's id. Every other request goes to `answer`.
 */
export function answerWarmUps(
  tools: Pick<Runtime, 'clock' | 'newId'> & {
    answer: AnswerText
    prices: PriceBook
    chooseRoute: ChooseRoute
  },
): AnswerText {
  const { answer, prices, chooseRoute, clock, newId } = tools
  return async (command, sink) => {
    if (command.isWarmUp !== true) return answer(command, sink)
    const { endpoint, caller, body } = command
    const { organizationId } = caller
    const model = await prices.findModel(String(body.value.model), organizationId)
    const name = requireModel(command, model)
    const question = { endpoint, operation: 'create', name, organizationId, isStream: true } as const
    chooseRoute(model, { ...question, triedTargets: 0 })
    sink.begin({ status: 200, headers: {} })
    const createdAtSeconds = Math.floor(clock.nowMs() / 1_000)
    sink.write(warmUpEvents(body.value, { id: newId('resp'), createdAtSeconds }))
    sink.end()
  }
}
