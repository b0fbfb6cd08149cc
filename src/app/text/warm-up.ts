import { requireAllowedModel } from '../../domain/access/allowed-models.ts'
import { warmUpEvents } from '../../llm/responses/socket/warm-up-events.ts'
import type { Clock } from '../../ports/clock.ts'
import type { NewId } from '../../ports/secrets.ts'
import type { PriceBook } from '../catalog/price-book.ts'
import type { AnswerText } from './answer-text.ts'
import { chooseRoute, type FindTextProvider } from './route/choose-route.ts'

/**
 * Answers requests that ask for no output, without a vendor and free of charge: the model is checked, and the next request
 * of the connection goes on from the id. Every other request goes straight on.
 */
export function answerWarmUps({
  answer,
  prices,
  findProvider,
  clock,
  newId,
}: {
  answer: AnswerText
  prices: PriceBook
  findProvider: FindTextProvider
  clock: Clock
  newId: NewId
}): AnswerText {
  return async (command, sink) => {
    if (command.isWarmUp !== true) return answer(command, sink)
    const { endpoint, caller, body } = command
    const { organizationId } = caller
    const name = requireAllowedModel(caller, String(body.value.model))
    const offeredNames = () => prices.offeredNames(organizationId)
    const model = await prices.findModel(name, organizationId)
    chooseRoute(model, { endpoint, name, findProvider, offeredNames })
    sink.begin({ status: 200, headers: {} })
    const createdAtSeconds = Math.floor(clock.nowMs() / 1_000)
    sink.write(warmUpEvents(body.value, { id: newId('resp'), createdAtSeconds }))
    sink.end()
  }
}
