import { ApiError, asApiError } from '../../../domain/api-error.ts'
import type { PricedModel } from '../../../domain/catalog/model.ts'
import type { PriceBook } from '../../catalog/price-book.ts'
import type { ReadHeavyBody } from '../contract/heavy-body.ts'
import type { TextCommand } from '../contract/text-command.ts'
import type { LaterPlan, TextPlan } from '../contract/text-plan.ts'
import { type ChooseRoute, routeOrNone, type TextRoute } from '../route/choose-route.ts'
import type { EncryptedSummaries } from '../vendor-state/encrypted-summaries.ts'
import type { KeepToOwnIds } from '../vendor-state/keep-to-own-ids.ts'
import type { RecentItems } from '../vendor-state/recent-items.ts'
import { resolveItems } from '../vendor-state/resolve-items.ts'
import type { PlanCall } from './plan-call.ts'

export interface TextAttempt {
  route: TextRoute
  plan: TextPlan
}

/** An attempt whose money is not reserved yet. After the reservation, `makeReady` converts a heavy request. */
export interface Prepared {
  route: TextRoute
  plan: TextPlan | LaterPlan
}

export interface Preparation {
  /** Chooses the first target that can take this request; throws the client's error when none can. */
  prepare(model: PricedModel | undefined, name: string, command: TextCommand): Prepared | Promise<Prepared>
  /**
   * Prepares a model that is asked after another one failed. `triedTargets` is the bitmask of the targets of its route
   * that were asked already. Returns undefined when no vendor of this model can take this request.
   */
  prepareOther(name: string, command: TextCommand, triedTargets: number): Promise<TextAttempt | undefined>
  /** Returns undefined when no vendor serves this name, or all targets of its route were tried. */
  findRoute(name: string, command: TextCommand, triedTargets: number): Promise<TextRoute | undefined>
  makeReady(prepared: Prepared, command: TextCommand): Promise<TextAttempt>
}

export interface PreparationTools {
  prices: PriceBook
  chooseRoute: ChooseRoute
  planCall: PlanCall
  recentItems: RecentItems
  summaries: EncryptedSummaries
  readHeavyBody: ReadHeavyBody
  keepToOwnIds: KeepToOwnIds
}

export function createPreparation(input: PreparationTools): Preparation {
  const { prices, chooseRoute, planCall, recentItems, summaries, readHeavyBody, keepToOwnIds } = input
  function routeOf(model: PricedModel | undefined, name: string, command: TextCommand, triedTargets: number) {
    const { endpoint, operation = 'create', caller, body } = command
    return chooseRoute(model, {
      endpoint,
      operation,
      name,
      organizationId: caller.organizationId,
      isStream: body.value.stream === true,
      triedTargets,
    })
  }

  function prepare(
    model: PricedModel | undefined,
    name: string,
    command: TextCommand,
    triedTargets = 0,
  ): Prepared | Promise<Prepared> {
    const route = routeOf(model, name, command, triedTargets)
    if (route.triedTargets === undefined) return prepareFor(route, command)
    const { triedTargets: excluded } = route
    const next = (apiError: unknown) => {
      if (asApiError(apiError) === undefined || !hasTargetLeft(model, name, command, excluded)) throw apiError
      return prepare(model, name, command, excluded)
    }
    try {
      const prepared = prepareFor(route, command)
      return prepared instanceof Promise ? prepared.catch(next) : prepared
    } catch (apiError) {
      return next(apiError)
    }
  }

  function hasTargetLeft(
    model: PricedModel | undefined,
    name: string,
    command: TextCommand,
    triedTargets: number,
  ): boolean {
    return routeOrNone(() => routeOf(model, name, command, triedTargets)) !== undefined
  }

  function prepareFor(route: TextRoute, command: TextCommand): Prepared | Promise<Prepared> {
    const resolved = resolveItems(command, { recentItems, summaries, readHeavyBody })
    return resolved instanceof Promise
      ? resolved.then((found) => checked(route, found))
      : checked(route, resolved)
  }

  function checked(route: TextRoute, command: TextCommand): Prepared | Promise<Prepared> {
    const own = keepToOwnIds(command, route)
    return own instanceof Promise ? own.then((kept) => planned(route, kept)) : planned(route, own)
  }

  function planned(route: TextRoute, command: TextCommand): Prepared | Promise<Prepared> {
    const plan = planCall(command, route)
    return plan instanceof Promise
      ? plan.then((made) => strict({ route, plan: made }, command))
      : strict({ route, plan }, command)
  }

  return {
    prepare,
    makeReady,
    async prepareOther(name, command, triedTargets) {
      try {
        const model = await prices.findModel(name, command.caller.organizationId)
        const prepared = await prepare(model, name, command, triedTargets)
        return isReady(prepared) ? prepared : await makeReady(prepared, command)
      } catch (apiError) {
        if (asApiError(apiError) !== undefined) return undefined
        throw apiError
      }
    },
    async findRoute(name, command, triedTargets) {
      const model = await prices.findModel(name, command.caller.organizationId)
      return routeOrNone(() => routeOf(model, name, command, triedTargets))
    },
  }
}

function strict(prepared: Prepared, command: TextCommand): Prepared {
  if (isReady(prepared)) refuseLosses(prepared, command)
  return prepared
}

export function isReady(prepared: Prepared): prepared is TextAttempt {
  return !('make' in prepared.plan)
}

async function makeReady({ route, plan }: Prepared, command: TextCommand): Promise<TextAttempt> {
  const attempt = { route, plan: 'make' in plan ? await plan.make() : plan }
  refuseLosses(attempt, command)
  return attempt
}

function refuseLosses({ plan: { losses } }: TextAttempt, { isStrict }: TextCommand): void {
  if (isStrict && losses.length > 0) throw wouldLose(losses)
}

function wouldLose(losses: readonly string[]): ApiError {
  return new ApiError('unsupported_combination', {
    message: `This model's provider cannot be given: ${[...new Set(losses)].join(', ')}. Leave it out, or leave out x-sluice-strict.`,
  })
}
