import { filesJson } from '../../app/views/erasures.ts'
import { CLIP } from '../../app/views/tasks.ts'
import { presentTime } from '../../app/views/times.ts'
import { ApiError } from '../../domain/api-error.ts'
import { FailedChecks } from '../errors.ts'
import { describeFiles } from '../present/describe-files.ts'
import type { Verb } from '../verb.ts'
import { listing } from './define-verb.ts'

export const mediaCheck: Verb = {
  path: 'media check',
  summary: 'Compare the rows of kept videos with the files, both ways, by size and hash. It changes nothing.',
  example: 'sluice media check',
  next: 'nothing when all is well',
  define(command, { services, print }) {
    command.action(() =>
      services.withMedia(services.loadConfig(), async ({ check }) => {
        if (check === undefined)
          throw new ApiError('not_found', { message: 'No videos are kept: MEDIA_STORE is off.' })
        const { missing, changed, orphans } = await check()
        const lines = [
          ...missing.map(({ taskId, key }) => `missing: ${key} of ${taskId}`),
          ...changed.map(({ taskId, key }) => `changed: ${key} of ${taskId}`),
          ...orphans.map((key) => `orphan: ${key}`),
        ]
        const rowsOf = (rows: typeof missing) => rows.map(({ taskId, key }) => ({ task_id: taskId, key }))
        print({
          json: { ok: lines.length === 0, missing: rowsOf(missing), changed: rowsOf(changed), orphans },
          text: lines.join('\n') || 'Every kept video has its file, and every file its row.',
        })
        if (lines.length > 0) throw new FailedChecks(lines.length)
      }),
    )
  },
}

const LISTED_MAX = 1_000

export const mediaList: Verb = {
  path: 'media list',
  summary: 'List the copies of finished videos and of assets, the newest first.',
  example: 'sluice media list --org org_019a2b3c',
  next: 'sluice media erase <task id>',
  define(command, { services, print }) {
    command
      .option('--org <id>', 'only this organization')
      .action(({ org: organizationId }: { org?: string }) =>
        services.withMedia(services.loadConfig(), async ({ list }) => {
          const clips = await list({
            limit: LISTED_MAX,
            ...(organizationId !== undefined && { organizationId }),
          })
          const shown = listing(clips, {
            json: (clip) => ({
              [clip.kind === 'asset' ? 'asset_id' : 'task_id']: clip.taskId,
              organization_id: clip.organizationId,
              ...CLIP.present(clip),
            }),
            cells: ({ taskId, kind, state, reason, facts, keptUntilMs }) => ({
              'TASK OR ASSET': taskId,
              KIND: kind,
              STATE: state,
              REASON: reason ?? '-',
              BYTES: facts?.bytes.toString() ?? '-',
              'KEPT UNTIL': keptUntilMs === null ? '-' : presentTime(keptUntilMs),
            }),
            none: 'Nothing was copied yet.',
          })
          print(shown)
        }),
      )
  },
}

export const mediaErase: Verb = {
  path: 'media erase',
  summary: 'Erase the copies of a task: links fail immediately, and a running gateway removes the files.',
  example: 'sluice media erase task_019a2b3c',
  next: 'sluice media list',
  define(command, { services, print }) {
    command.argument('<task id>', 'the task').action((taskId: string) =>
      services.withMedia(services.loadConfig(), async ({ erase }) => {
        const files = await erase(taskId)
        if (files === undefined)
          throw new ApiError('not_found', { message: `There is no copy of a file of task ${taskId}.` })
        print({
          json: { task_id: taskId, erased: true, files: filesJson(files) },
          text: describeFiles(files).join('\n') || 'There was no file left to erase.',
        })
      }),
    )
  },
}
