import { formatDifference, type PlannedModel } from '../../app/catalog/plan-catalog.ts'
import { PLAN } from '../../app/views/models.ts'
import { loadCatalog } from '../../config/catalog/load-catalog.ts'
import { counted } from '../../domain/counted.ts'
import type { Verb } from '../verb.ts'

interface ApplyOptions {
  dryRun?: true
  json?: true
}

export const apply: Verb = {
  path: 'apply',
  summary:
    'Bring models and prices in line with a catalog file: shows what changes, then changes it, all or nothing. Models that are not listed stay as they are.',
  example: 'sluice apply catalog.yaml --dry-run',
  next: 'sluice model list',
  define(command, { operate, print }) {
    command
      .argument('<file>', 'the catalog, in YAML; - reads standard input')
      .option('--dry-run', 'only show what would change')
      .action(async (file: string, { dryRun, json }: ApplyOptions) => {
        const entries = loadCatalog(file)
        await operate(async (operator) => {
          const plan = await operator.planCatalog(entries)
          if (dryRun || plan.every(isUnchanged)) {
            const ending = plan.every(isUnchanged) ? 'Nothing to change.' : 'A dry run: nothing was changed.'
            print({ json: plan.map(PLAN.present), text: [...describePlan(plan), ending].join('\n') })
            return
          }
          // People see the plan before `apply` carries it out; a program reads one result at the end.
          if (!json) print({ json: [], text: describePlan(plan).join('\n') })
          const applied = await operator.applyCatalog(entries)
          print({ json: applied.map(PLAN.present), text: describeEnding(applied) })
        })
      })
  },
}

function isUnchanged({ change }: PlannedModel): boolean {
  return change === 'unchanged'
}

export function describePlan(plan: readonly PlannedModel[]): string[] {
  const shown = plan.filter((planned) => !isUnchanged(planned) || planned.warnings.length > 0)
  const same = plan.filter(isUnchanged).length
  return [
    ...shown.flatMap(({ model, change, differences, warnings }) => [
      `${model.name} (model ${model.modelId}): ${change}`,
      ...differences.map((difference) => `  ${formatDifference(difference)}`),
      ...warnings.map((warning) => `  WARNING  ${warning}`),
    ]),
    ...(same === 0 ? [] : [`${counted(same, 'model')} as listed already.`]),
  ]
}

function describeEnding(applied: readonly PlannedModel[]): string {
  const fresh = applied.filter(({ change }) => change === 'new').length
  const changed = applied.filter(({ change }) => change === 'changed').length
  return `Done: ${fresh} new, ${changed} changed.`
}
