import { apply } from './commands/apply.ts'
import { callbackList } from './commands/callback-list.ts'
import { callbackResend } from './commands/callback-resend.ts'
import { creditAdd } from './commands/credit-add.ts'
import { creditShow } from './commands/credit-show.ts'
import { doctor } from './commands/doctor.ts'
import { init } from './commands/init.ts'
import { keyCreate } from './commands/key-create.ts'
import { keyList } from './commands/key-list.ts'
import { keyRevoke } from './commands/key-revoke.ts'
import { keyRotate } from './commands/key-rotate.ts'
import { ledgerCheck } from './commands/ledger-check.ts'
import { ledgerRefund } from './commands/ledger-refund.ts'
import { migrate } from './commands/migrate.ts'
import { modelList } from './commands/model-list.ts'
import { operatorCreate } from './commands/operator-create.ts'
import { operatorList } from './commands/operator-list.ts'
import { operatorRevoke } from './commands/operator-revoke.ts'
import { orgBudget } from './commands/org-budget.ts'
import { orgCreate } from './commands/org-create.ts'
import { orgDisable, orgEnable } from './commands/org-disable.ts'
import { orgErase, userErase } from './commands/org-erase.ts'
import { orgList } from './commands/org-list.ts'
import { orgSecret } from './commands/org-secret.ts'
import { orgShow } from './commands/org-show.ts'
import { orgUpdate } from './commands/org-update.ts'
import { personErase, personShow } from './commands/person-erase.ts'
import { providerList } from './commands/provider-list.ts'
import { providerTest } from './commands/provider-test.ts'
import { serve } from './commands/serve.ts'
import { taskList } from './commands/task-list.ts'
import { taskResume } from './commands/task-resume.ts'
import { taskShow } from './commands/task-show.ts'
import { usage } from './commands/usage.ts'
import { usageExport } from './commands/usage-export.ts'
import { usageShow } from './commands/usage-show.ts'
import { userCreate } from './commands/user-create.ts'
import { userDisable, userEnable } from './commands/user-disable.ts'
import { userLimit } from './commands/user-limit.ts'
import { userList } from './commands/user-list.ts'
import type { Verb } from './verb.ts'

/** The whole command line, in the order of its help. */
export const VERBS: readonly Verb[] = [
  serve,
  init,
  orgCreate,
  orgList,
  orgShow,
  orgUpdate,
  orgDisable,
  orgEnable,
  orgBudget,
  orgErase,
  orgSecret,
  userCreate,
  userList,
  userLimit,
  userDisable,
  userEnable,
  userErase,
  personShow,
  personErase,
  keyCreate,
  keyList,
  keyRotate,
  keyRevoke,
  creditAdd,
  creditShow,
  usage,
  usageShow,
  usageExport,
  ledgerCheck,
  ledgerRefund,
  taskList,
  taskShow,
  taskResume,
  callbackList,
  callbackResend,
  providerList,
  providerTest,
  modelList,
  operatorCreate,
  operatorList,
  operatorRevoke,
  apply,
  doctor,
  migrate,
]

/** The first words that several commands share. */
export const VERB_GROUPS: Readonly<Record<string, string>> = {
  org: 'Organizations: who owns users, keys and a balance.',
  user: 'Users of an organization, and their daily limits.',
  person: 'Verified people of an organization.',
  key: 'API keys, which programs call the gateway with.',
  credit: 'What organizations have paid in, and what is left of it.',
  task: 'Video tasks of every organization, as the gateway knows them.',
  callback: 'Messages to clients that their task has ended.',
  provider: 'The vendors of sluice.yaml, and whether they answer.',
  model: 'Models and their prices.',
  operator: 'Operators with a name, a role and a token of the admin API.',
  usage: 'What customers used and what it cost, added up or one by one.',
  ledger: 'The entries behind the balances: check them, or give a charge back.',
}
