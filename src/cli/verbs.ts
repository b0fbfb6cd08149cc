import { apply } from './commands/apply.ts'
import { callbackList } from './commands/callback-list.ts'
import { callbackResend } from './commands/callback-resend.ts'
import { callbackTest } from './commands/callback-test.ts'
import { doctor } from './commands/doctor.ts'
import { eventsList, eventsResend, eventsTest } from './commands/events.ts'
import { init } from './commands/init.ts'
import { migrate } from './commands/migrate.ts'
import { modelAlias } from './commands/model-alias.ts'
import { modelAdd, modelPublish, modelUnpublish, modelUpdate } from './commands/model-change.ts'
import { modelList } from './commands/model-list.ts'
import { modelRemove } from './commands/model-remove.ts'
import { creditAdd } from './commands/money/credit-add.ts'
import { creditShow } from './commands/money/credit-show.ts'
import { ledgerCheck } from './commands/money/ledger-check.ts'
import { ledgerRefund } from './commands/money/ledger-refund.ts'
import { reconcile } from './commands/money/reconcile.ts'
import { usage } from './commands/money/usage.ts'
import { usageExport } from './commands/money/usage-export.ts'
import { usageShow } from './commands/money/usage-show.ts'
import { providerAdd, providerUpdate } from './commands/providers/provider-add.ts'
import { providerList } from './commands/providers/provider-list.ts'
import {
  providerDisable,
  providerEnable,
  providerRemove,
  providerShow,
} from './commands/providers/provider-state.ts'
import { providerModels, providerTest } from './commands/providers/provider-test.ts'
import { quote } from './commands/quote.ts'
import { receiptRotateKey, receiptVerify } from './commands/receipt-verify.ts'
import { requests } from './commands/requests.ts'
import { secretRotate } from './commands/secret-rotate.ts'
import { serve } from './commands/serve.ts'
import { taskList } from './commands/task-list.ts'
import { taskResume } from './commands/task-resume.ts'
import { taskShow } from './commands/task-show.ts'
import { keyBudget } from './commands/tenants/key-budget.ts'
import { keyCreate } from './commands/tenants/key-create.ts'
import { keyList } from './commands/tenants/key-list.ts'
import { keyRevoke } from './commands/tenants/key-revoke.ts'
import { keyRotate } from './commands/tenants/key-rotate.ts'
import { operatorCreate } from './commands/tenants/operator-create.ts'
import { operatorList } from './commands/tenants/operator-list.ts'
import { operatorRevoke } from './commands/tenants/operator-revoke.ts'
import { orgBudget } from './commands/tenants/org-budget.ts'
import { orgCreate } from './commands/tenants/org-create.ts'
import { orgDisable, orgEnable } from './commands/tenants/org-disable.ts'
import { orgErase, userErase } from './commands/tenants/org-erase.ts'
import { orgList } from './commands/tenants/org-list.ts'
import { orgSecret } from './commands/tenants/org-secret.ts'
import { orgShow } from './commands/tenants/org-show.ts'
import { orgUpdate } from './commands/tenants/org-update.ts'
import { personErase, personList, personShow } from './commands/tenants/person-erase.ts'
import { userCreate } from './commands/tenants/user-create.ts'
import { userDisable, userEnable } from './commands/tenants/user-disable.ts'
import { userLimit } from './commands/tenants/user-limit.ts'
import { userList } from './commands/tenants/user-list.ts'
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
  personList,
  personShow,
  personErase,
  keyCreate,
  keyBudget,
  keyList,
  keyRotate,
  keyRevoke,
  creditAdd,
  creditShow,
  usage,
  usageShow,
  usageExport,
  requests,
  ledgerCheck,
  ledgerRefund,
  quote,
  reconcile,
  receiptVerify,
  receiptRotateKey,
  taskList,
  taskShow,
  taskResume,
  callbackList,
  callbackResend,
  callbackTest,
  eventsList,
  eventsResend,
  eventsTest,
  providerAdd,
  providerList,
  providerShow,
  providerUpdate,
  providerDisable,
  providerEnable,
  providerRemove,
  providerTest,
  providerModels,
  modelList,
  modelAdd,
  modelUpdate,
  modelPublish,
  modelUnpublish,
  modelRemove,
  modelAlias,
  operatorCreate,
  operatorList,
  operatorRevoke,
  apply,
  doctor,
  secretRotate,
  migrate,
]

/** First words that several commands share. */
export const VERB_GROUPS: Readonly<Record<string, string>> = {
  org: 'Organizations: who owns users, keys and a balance.',
  user: 'Users of an organization, and their daily limits.',
  person: 'Verified people of an organization.',
  key: 'API keys, which programs call the gateway with.',
  credit: 'What organizations have paid in, and what is left of it.',
  task: 'Video tasks of every organization, as the gateway knows them.',
  callback: 'Messages to clients that their task has ended.',
  events: 'What operators and organizations are told of, and what their receivers answered.',
  provider: 'Vendors, from sluice.yaml and from the store, and whether they answer.',
  model: 'Models and their prices.',
  operator: 'Operators with a name, a role and a token of the admin API.',
  usage: 'What customers used and what it cost, added up or one by one.',
  ledger: 'The entries behind the balances: check them, or give a charge back.',
  receipt: 'Signed receipts: check them offline, or change the key that signs them.',
  secret: 'The secret of the deployment.',
}
