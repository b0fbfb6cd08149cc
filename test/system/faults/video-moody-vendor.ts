import type { Snapshot } from '../../../src/domain/video/snapshot.ts'
import type { VideoDriver } from '../../../src/ports/video-driver.ts'
import { type SeededRandom, seededRandom } from '../../random/seeded-random.ts'

/**
 * A vendor whose snapshots of a task repeat, come in a wrong order, are missing, or (for a few tasks) end twice. Each
 * task has its own random numbers, so a seed repeats its history.
 */
export interface MoodyVendor extends VideoDriver {
  create: VideoDriver['create']
  delete: NonNullable<VideoDriver['delete']>
  /** From now on each poll returns the end. */
  comeToTheEnd(): void
}

/** Seconds of this vendor's video, which its address contains. */
export function secondsOf(videoUrl: string): number {
  return Number(new URL(videoUrl).searchParams.get('seconds'))
}

const QUEUED: Snapshot = { status: 'queued', content: undefined, error: undefined, measured: {} }
const RUNNING: Snapshot = { ...QUEUED, status: 'running' }
const CANCELLED: Snapshot = { ...QUEUED, status: 'cancelled' }
const FAILED: Snapshot = {
  ...QUEUED,
  status: 'failed',
  error: { code: 'generation_failed', message: 'It failed.' },
}

const SILENCE_SHARE = 0.1
const STEP_SHARE = 0.5
const OLD_WORD_SHARE = 0.3
const SECOND_END_SHARE = 0.1
const REFUSED_DELETE_SHARE = 0.3

export function moodyVendor(seed: number): MoodyVendor {
  const lives = new Map<string, Life>()
  let isEndTime = false
  const silence = { kind: 'unanswered', cause: new Error('silence'), retryAfterMs: undefined } as const
  const lifeOf = (ticket: string): Life => {
    const life = lives.get(ticket) ?? beginLife(seededRandom(seed + Number(ticket)))
    lives.set(ticket, life)
    return life
  }
  return {
    create: async () => ({ kind: 'lost', cause: new Error('this vendor takes no orders') }),
    comeToTheEnd() {
      isEndTime = true
    },
    async read(ticket) {
      const life = lifeOf(ticket)
      const { random, words } = life
      await breath(random)
      if (isEndTime) life.said = words.length - 1
      else if (random.next() < SILENCE_SHARE) return silence
      else if (random.next() < STEP_SHARE) life.said = Math.min(life.said + 1, words.length - 1)
      const isOld = !isEndTime && random.next() < OLD_WORD_SHARE
      const snapshot = words[isOld ? random.integer(0, life.said) : life.said] ?? QUEUED
      await breath(random)
      return { kind: 'snapshot', snapshot }
    },
    async delete(ticket) {
      const life = lifeOf(ticket)
      await breath(life.random)
      const chance = life.random.next()
      if (chance < SILENCE_SHARE) return silence
      const isEnded = life.said > 1
      if (!isEnded && (life.said === 1 || chance < REFUSED_DELETE_SHARE)) return { kind: 'refused' }
      if (!isEnded) {
        life.words.splice(life.said + 1, Number.POSITIVE_INFINITY, CANCELLED)
        life.said += 1
      }
      return { kind: 'deleted' }
    },
  }
}

interface Life {
  random: SeededRandom
  /** Snapshots in order; more than one end when the vendor contradicts itself. */
  words: Snapshot[]
  /** Number of reported snapshots. */
  said: number
}

function beginLife(random: SeededRandom): Life {
  // Both ends describe the same video: a later link has the same length, and the first cost stays.
  const seconds = random.integer(1, 9)
  const words = [QUEUED, RUNNING, endOf(random, seconds)]
  if (random.next() < SECOND_END_SHARE) words.push(endOf(random, seconds))
  return { random, words, said: 0 }
}

function endOf(random: SeededRandom, seconds: number): Snapshot {
  const succeeded: Snapshot = {
    status: 'succeeded',
    content: { video_url: `https://video.example/${random.integer(1, 1_000)}.mp4?seconds=${seconds}` },
    error: undefined,
    measured: { seconds },
  }
  return random.pick([succeeded, succeeded, FAILED, CANCELLED])
}

/** Sometimes lets other work go first. */
async function breath(random: SeededRandom): Promise<void> {
  for (let turns = random.integer(0, 3); turns > 0; turns -= 1)
    await new Promise((resolve) => setImmediate(resolve))
}
