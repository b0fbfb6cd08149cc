import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PERIOD_US = 10_000
/** Folders of control groups, version 1 and version 2. */
const FIRST = '/sys/fs/cgroup/cpu'
const SECOND = '/sys/fs/cgroup'

/**
 * Limits a process to a part of a core. This needs Linux and root; undefined where it is not possible. The group is
 * removed with `release`, after the process has ended.
 */
export function holdToPart(pid: number, part: number): { release(): void } | undefined {
  const isFirst = existsSync(join(FIRST, 'cpu.cfs_quota_us'))
  const group = join(isFirst ? FIRST : SECOND, `sluice-bench-${pid}`)
  const quotaUs = Math.round(part * PERIOD_US)
  try {
    mkdirSync(group)
    const set = (name: string, value: string) => writeFileSync(join(group, name), value)
    if (isFirst) {
      set('cpu.cfs_period_us', String(PERIOD_US))
      set('cpu.cfs_quota_us', String(quotaUs))
    } else set('cpu.max', `${quotaUs} ${PERIOD_US}`)
    set('cgroup.procs', String(pid))
  } catch {
    if (existsSync(group)) rmdirSync(group)
    return undefined
  }
  return { release: () => rmdirSync(group) }
}
