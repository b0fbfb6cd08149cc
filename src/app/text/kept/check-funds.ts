import { reserveForText } from '../../../domain/billing/reserve-for-text.ts'
import type { BeginSpend } from '../../billing/spend.ts'
import type { PriceBook } from '../../catalog/price-book.ts'
import type { TextCommand } from '../contract/text-command.ts'
import type { ChooseRoute } from '../route/choose-route.ts'
import { outputBoundOf } from '../route/request-bounds.ts'
import { requireModel } from '../route/require-model.ts'

/**
 * Rejects if the model cannot be used, or if the organization cannot pay for the request as it was sent and for a reply.
 * The earlier conversation is counted only after its decryption, because its encrypted length says little.
 */
export type CheckFunds = (command: TextCommand) => Promise<void>

export function checkFunds(input: {
  prices: PriceBook
  chooseRoute: ChooseRoute
  beginSpend: BeginSpend
}): CheckFunds {
  const { prices, chooseRoute, beginSpend } = input
  return async (command) => {
    const { endpoint, operation, caller, body } = command
    const { organizationId } = caller
    const model = await prices.findModel(String(body.value.model), organizationId)
    const name = requireModel(command, model)
    const isStream = body.value.stream === true
    const route = chooseRoute(model, {
      endpoint,
      operation: operation ?? 'create',
      name,
      organizationId,
      isStream,
      triedTargets: 0,
    })
    const { tokens: inputTokens } = body.inputBound()
    const { reserveMicros } = reserveForText(route.prices, {
      inputTokens,
      inputTokensMax: inputTokens,
      refersOutside: false,
      maxOutputTokens: outputBoundOf(route, command),
      contextTokens: route.contextTokens,
    })
    const spend = await beginSpend(caller, { reserveMicros, possibleMicros: reserveMicros })
    await spend.abandon()
  }
}
