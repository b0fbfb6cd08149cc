import type { ClipStore, StoredClip } from '../../ports/clips.ts'
import type { MediaStage, MediaStore } from '../../ports/media-store.ts'

export interface MediaReport {
  /** Kept copies without their file. */
  missing: { taskId: string; key: string }[]
  /** Kept copies whose file has another size or hash. */
  changed: { taskId: string; key: string }[]
  /** Keys of files that no row needs. */
  orphans: string[]
}

const PAGE = 200

/** Compares rows and files both ways, and reads every kept file. A file whose row has another state than `kept` is no orphan. */
export function checkMedia(tools: {
  clips: Pick<ClipStore, 'find' | 'page'>
  media: Pick<MediaStore, 'list' | 'open'>
  stage: Pick<MediaStage, 'measure'>
}): () => Promise<MediaReport> {
  const { clips, media, stage } = tools
  return async () => {
    const report: MediaReport = { missing: [], changed: [], orphans: [] }
    // A row is older than its file, so this look-up finds the row of every listed file.
    for await (const { key } of media.list()) if (!(await isNeeded(key))) report.orphans.push(key)
    let after: string | undefined
    do {
      const page = await clips.page({ state: 'kept', limit: PAGE, ...(after !== undefined && { after }) })
      for (const clip of page) await compare(clip, report)
      after = page.length < PAGE ? undefined : page.at(-1)?.id
    } while (after !== undefined)
    return report
  }

  async function isNeeded(key: string): Promise<boolean> {
    const clip = await clips.find(key.split('/')[1] ?? '')
    if (clip === undefined || clip.storeKey === null) return false
    return clip.state !== 'kept' || clip.storeKey === key
  }

  async function compare({ id, taskId, storeKey, facts }: StoredClip, report: MediaReport): Promise<void> {
    const key = storeKey ?? ''
    const body = await media.open({ key, range: undefined, signal: AbortSignal.timeout(600_000) })
    const read = body && (await stage.measure(body))
    if (read?.sha256 === facts?.sha256 && read?.bytes === facts?.bytes) return
    // The copy may have been erased since its page was read.
    if ((await clips.find(id))?.state !== 'kept') return
    report[read === undefined ? 'missing' : 'changed'].push({ taskId, key })
  }
}
