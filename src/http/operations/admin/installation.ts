import { CHECKS, checksJson, SETTING } from '../../../app/views/installation.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminOperation } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'

export const installation: readonly Operation[] = [
  adminOperation('adminListSettings', 'GET /settings', {
    summary: 'List the settings in force',
    description: 'The settings of the process that answers. Secrets are hidden.',
    reply: json.object({ object: json.literal('list'), data: json.array(SETTING.schema) }),
    run: async (call) => ({ object: 'list', data: call.installation.listSettings().map(SETTING.present) }),
  }),
  adminOperation('adminRunDoctor', 'POST /doctor', {
    summary: 'Check everything that the gateway depends on',
    description: 'Runs the checks of `sluice doctor` in the process that answers. They change nothing.',
    reply: CHECKS,
    run: async (call) => checksJson(await call.installation.runDoctor()),
  }),
]
