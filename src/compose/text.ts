import { driverOf } from '../adapters/providers/drivers.ts'
import { systemDraw } from '../adapters/system/clock.ts'
import { openBodyThreads } from '../adapters/threads/body-threads.ts'
import { repeatErasures } from '../app/access/erase-tenant.ts'
import type { App } from '../app/app.ts'
import type { PriceBook } from '../app/catalog/price-book.ts'
import { closeInTime } from '../app/jobs/deadline.ts'
import { answerText } from '../app/text/answer-text.ts'
import { logCacheOutageOnce } from '../app/text/cache/log-cache-outage.ts'
import { openValues } from '../app/text/cache/open-values.ts'
import { readHeavyEmbeddings } from '../app/text/contract/embeddings-body.ts'
import { readHeavyBody } from '../app/text/contract/heavy-body.ts'
import { countTokens } from '../app/text/count-tokens.ts'
import { createEmbeddings } from '../app/text/create-embeddings.ts'
import { checkFunds } from '../app/text/kept/check-funds.ts'
import { continueReply, type KeepsByDefault } from '../app/text/kept/continue-reply.ts'
import { keepReplies } from '../app/text/kept/keep-replies.ts'
import { type ReadReplies, readReplies } from '../app/text/kept/read-replies.ts'
import { createReplyStore } from '../app/text/kept/reply-store.ts'
import { createRunningReplies } from '../app/text/kept/running-replies.ts'
import { replyRunner } from '../app/text/plan/heavy-reply.ts'
import { planCall } from '../app/text/plan/plan-call.ts'
import { endDisabledReplies, liveReplies } from '../app/text/relay/live-replies.ts'
import { replayReplies } from '../app/text/replay/replay-replies.ts'
import { createRequestClaims } from '../app/text/replay/request-claims.ts'
import { createChooseRoute } from '../app/text/route/choose-route.ts'
import { createModelRates } from '../app/text/route/model-rates.ts'
import { encryptedSummaries } from '../app/text/vendor-state/encrypted-summaries.ts'
import { keepToOwnIds } from '../app/text/vendor-state/keep-to-own-ids.ts'
import { recentItems } from '../app/text/vendor-state/recent-items.ts'
import { createVendorIds } from '../app/text/vendor-state/vendor-ids.ts'
import { answerWarmUps } from '../app/text/warm-up.ts'
import type { BodyTurns } from '../ports/body-turns.ts'
import type { Cache } from '../ports/cache.ts'
import type { Draw } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { TextProvider } from '../ports/text-provider.ts'
import { startWorker } from '../workers/schedule.ts'
import { startVendorIdWriter } from '../workers/vendor-id-writer.ts'
import type { BillingParts } from './billing.ts'
import type { Config } from './config.ts'
import { openKeptValues } from './engines.ts'
import { composeOutside } from './outside.ts'
import { openEach } from './providers/open-each.ts'
import type { Tools } from './tools.ts'

export interface TextParts {
  useCases: ReadReplies &
    Pick<App, 'answerText' | 'countTokens' | 'createEmbeddings' | 'readHeavyBody' | 'readHeavyEmbeddings'>
  /** Resolves when no background reply runs. */
  idle(): Promise<void>
  /** Ends every running reply with an error event of its dialect. */
  endReplies(): void
  endDisabledReplies(): Promise<void>
  close(): Promise<void>
}

export async function composeText(input: {
  config: Config
  vendors: { find(name: string): TextProvider | undefined; close(): Promise<void> }
  tools: Tools
  store: Pick<
    Store,
    'audit' | 'organizations' | 'requestClaims' | 'vendorIds' | 'keptValues' | 'usageReports'
  >
  cache: Cache
  prices: PriceBook
  billing: BillingParts
  turns: BodyTurns
  /** Left out: a random draw. */
  draw?: Draw
}): Promise<TextParts> {
  const { config, vendors, tools, store, cache, prices, billing, turns, draw = systemDraw } = input
  const { find: findProvider } = vendors
  const threads = openBodyThreads({ ...tools, book: turns.book })
  const live = liveReplies(tools.log)
  tools.metrics.watchReplies(() => live.count)
  tools.metrics.watchStreams(() => live.streamCount)
  const opener = openValues({ ...tools, threads })
  const readHeavy = readHeavyBody({ threads, allowedRanges: config.outbound.allowedRanges })
  const kept = recentItems({ ...tools, opener, cache })
  const summaries = encryptedSummaries(tools)
  const vendorIds = createVendorIds({ ...tools, clock: tools.deadlineClock, store: store.vendorIds })
  const own = keepToOwnIds({ vendorIds })
  const rates = createModelRates()
  const chooseRoute = createChooseRoute({ draw, prices, findProvider, rates })
  const calling = {
    ...tools,
    prices,
    live,
    chooseRoute,
    beginSpend: billing.beginSpend,
    hangUpListenMs: config.outbound.hangUpListenMs,
    holdBackMs: config.outbound.holdBackMs,
  }
  const answer = answerText({
    ...calling,
    recentItems: kept,
    summaries,
    readHeavyBody: readHeavy,
    keepToOwnIds: own,
    planCall: planCall({
      ...tools,
      rates,
      recentItems: kept,
      summaries,
      vendorIds,
      runReply: replyRunner(threads, turns),
    }),
    rates,
  })
  const claims = createRequestClaims({ ...tools, ...store, clock: tools.deadlineClock })
  const replay = replayReplies({ ...tools, opener, claims, cache, turns })
  const { log } = tools
  const values = openKeptValues(config, { ...tools, store, cache })
  const isCharged = async (usageId: string) => (await store.usageReports.findText(usageId))?.id === usageId
  const replies = createReplyStore({
    ...tools,
    opener,
    values,
    turns,
    keptMs: config.repliesKeptMs,
    isCharged,
  })
  const running = createRunningReplies({ replies })
  const readKept = readReplies({ ...tools, replies, running })
  const keepsByDefault: KeepsByDefault = ({ keepReplies }) =>
    keepReplies === null ? config.repliesKeptByDefault : keepReplies === 'default'
  const answerKept = keepReplies({
    ...tools,
    replies,
    running,
    turns,
    claims,
    prices,
    readOn: readKept.readResponse,
    keepsByDefault,
    continueReply: continueReply({
      replies,
      values: opener,
      turns,
      readHeavyBody: readHeavy,
      keepsByDefault,
      prices,
      checkFunds: checkFunds(calling),
    }),
    replay,
    answer: answerWarmUps({ ...tools, prices, chooseRoute, answer }),
    watch: logCacheOutageOnce(log, { event: 'cache.responses_not_kept' }),
  })
  const endDisabled = endDisabledReplies({ ...store, live })
  const keeper = startWorker('stream-keeper', { run: () => live.tick(), log })
  const loops = [
    startWorker('claim-keeper', { run: () => claims.renew(), log }),
    startWorker('reply-keeper', { run: () => running.renew(), log }),
    startVendorIdWriter({ vendorIds, log }),
    startWorker('disabled-watch', { run: endDisabled, log }),
    startWorker('erasure-repeater', { run: repeatErasures({ ...tools, ...store, cache }), log }),
    startWorker('vendor-id-cleaner', { run: vendorIds.dropExpired, log }),
  ]
  return {
    useCases: {
      answerText: answerKept,
      countTokens: countTokens({ prices, chooseRoute, keepToOwnIds: own }),
      createEmbeddings: replay(createEmbeddings(calling)),
      readHeavyBody: readHeavy,
      readHeavyEmbeddings: readHeavyEmbeddings({ threads }),
      ...readKept,
    },
    idle: () => running.idle(),
    endReplies: () => live.endAll(),
    endDisabledReplies: endDisabled,
    async close() {
      live.endAll()
      await keeper.stop()
      await closeInTime([running.idle()])
      await closeInTime(loops.map((loop) => loop.stop()))
      await threads.close()
      await vendors.close()
    },
  }
}

/** Opens a driver with its own upstream for every provider of text models. */
export function openTextVendors(input: { config: Config; tools: Tools; turns: BodyTurns }) {
  const { config, tools, turns } = input
  return openEach<TextProvider>(async (provider) => {
    const { text } = driverOf(provider)
    if (text === undefined) return undefined
    const { openProvider } = await composeOutside(config, tools)
    const upstream = openProvider({ ...provider, turns })
    return { part: await text.open(provider, { ...tools, upstream }), upstream }
  }, tools.clock)
}
