import { apply } from './commands/apply.ts'
import { callbackList, callbackResend, callbackTest } from './commands/callbacks.ts'
import { demo } from './commands/demo.ts'
import { doctor } from './commands/doctor.ts'
import { eventsList, eventsResend, eventsTest } from './commands/events.ts'
import { init } from './commands/init.ts'
import { mediaCheck, mediaErase, mediaList } from './commands/media.ts'
import { migrate } from './commands/migrate.ts'
import {
  modelAdd,
  modelAlias,
  modelList,
  modelPublish,
  modelRemove,
  modelUnpublish,
  modelUpdate,
} from './commands/models.ts'
import { creditAdd, creditShow } from './commands/money/credit.ts'
import { ledgerCheck, ledgerRefund } from './commands/money/ledger.ts'
import { reconcile } from './commands/money/reconcile.ts'
import { usage, usageExport, usageShow } from './commands/money/usage.ts'
import { provenance } from './commands/provenance.ts'
import { providerAdd, providerUpdate } from './commands/providers/provider-add.ts'
import { providerModels, providerTest } from './commands/providers/provider-test.ts'
import {
  providerDisable,
  providerEnable,
  providerList,
  providerRemove,
  providerShow,
} from './commands/providers/providers.ts'
import { quote } from './commands/quote.ts'
import { receiptRotateKey, receiptVerify } from './commands/receipt-verify.ts'
import { requests } from './commands/requests.ts'
import { secretRotate } from './commands/secret-rotate.ts'
import { serve } from './commands/serve.ts'
import { taskList, taskResume, taskShow } from './commands/tasks.ts'
import { keyBudget, orgBudget } from './commands/tenants/budgets.ts'
import { keyCreate, keyList, keyRevoke, keyRotate } from './commands/tenants/keys.ts'
import { operatorCreate, operatorList, operatorRevoke } from './commands/tenants/operators.ts'
import { orgErase, userErase } from './commands/tenants/org-erase.ts'
import { orgUpdate } from './commands/tenants/org-update.ts'
import {
  orgCreate,
  orgDisable,
  orgEnable,
  orgList,
  orgSecret,
  orgShow,
} from './commands/tenants/organizations.ts'
import { personErase, personList, personShow } from './commands/tenants/person-erase.ts'
import { userCreate, userDisable, userEnable, userLimit, userList } from './commands/tenants/users.ts'
import type { Verb } from './verb.ts'

export const VERBS: readonly Verb[] = [
  serve,
  init,
  demo,
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
  provenance,
  receiptRotateKey,
  taskList,
  taskShow,
  taskResume,
  mediaCheck,
  mediaList,
  mediaErase,
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

/** Descriptions of first words that several commands share. */
export const VERB_GROUPS: Readonly<Record<string, string>> = {
  org: 'Organizations, which own users, keys and a balance.',
  user: 'Users of an organization, and their daily limits.',
  person: 'Verified people of an organization.',
  key: 'API keys, with which programs call the gateway.',
  credit: 'Payments of organizations, and their balances.',
  task: 'Video tasks of every organization, as the gateway knows them.',
  media: 'Kept copies of finished videos and of assets.',
  callback: 'Messages to clients that their task has ended.',
  events: 'Events for operators and organizations, and what their receivers answered.',
  provider: 'Vendors, from sluice.yaml and from the store, and whether they answer.',
  model: 'Models and their prices.',
  operator: 'Operators with a name, a role and a token of the admin API.',
  usage: 'Usage of customers and its cost, as sums or one by one.',
  ledger: 'The entries behind the balances: check them, or give a charge back.',
  receipt: 'Signed receipts: check them offline, or change the key that signs them.',
  secret: 'The secret of the deployment.',
}
